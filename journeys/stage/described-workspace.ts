/** Folders whose tools say themselves what they take, and count how often they are asked. */
export {
  makeDescribedWorkspace,
  makeTable,
} from '../../apps/reference-host/src/workspace/tools/described-workspace.suite.ts'
