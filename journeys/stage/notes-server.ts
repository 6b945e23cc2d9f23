/** A small MCP server of notes, with resources, a form and the folder it runs in. */
export {
  NOTES,
  NOTES_TABLE,
} from '../../apps/reference-host/src/workspace/servers/workspace.suite.ts'
