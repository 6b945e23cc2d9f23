/** Folders whose tools describe themselves and count how often they are asked. */
export {
  makeDescribedWorkspace,
  makeTable,
} from '../../apps/reference-host/src/workspace/tools/described-workspace.support.ts'
