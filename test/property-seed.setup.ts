import fc from 'fast-check'

const SEED = 20_261_130

// Property tests draw the same values in each run, so that one that fails has its reason in a change. `TOOLBLOCKS_SEED=random` draws others; the message
// of a failure has its seed.
const chosen = process.env['TOOLBLOCKS_SEED']
if (chosen !== 'random') fc.configureGlobal({ seed: chosen ? Number(chosen) : SEED })
