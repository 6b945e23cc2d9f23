/** The built `toolblocks` command in a process of its own: without a terminal, at one, or going on until it is ended. */
export {
  NO_TRUST,
  run,
  startToolblocks,
  toolblocks,
  visit,
  withoutTrust,
  type Ran,
} from '../../apps/reference-host/src/cli/toolblocks.suite.ts'
export { runMeasured } from '../../apps/reference-host/src/cli/measured-run.suite.ts'
