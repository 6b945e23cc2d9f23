/** A small MCP server of notes, with resources, a form and its working folder. */
export {
  NOTES,
  NOTES_TABLE,
} from '../../apps/reference-host/src/workspace/servers/workspace.support.ts'
