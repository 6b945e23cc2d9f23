/** Runs the built `toolblocks` command in a separate process: without a terminal, at a terminal, or until it is ended. */
export {
  NO_TRUST,
  run,
  startToolblocks,
  toolblocks,
  visit,
  withoutTrust,
  type Ran,
} from '../../apps/reference-host/src/cli/toolblocks.support.ts'
export { runMeasured } from '../../apps/reference-host/src/cli/measured-run.support.ts'
