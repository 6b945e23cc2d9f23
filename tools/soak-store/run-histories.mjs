import { runClients } from '../../packages/conversation-store/src/histories/run-clients.support.ts'

/** Lets four processes call a store at random. Checks that the results of each conversation are those of one serial order, and that no scrubbed value returns. */
export async function runHistories(url, rounds) {
  const seed = Math.floor(Math.random() * 2 ** 30)
  const counts = await runClients(url, { processes: 4, rounds, steps: 15, seed })
  const { impossible, undecided, returned, unfollowed, failed } = counts
  return {
    counts: { seed, ...counts },
    bad: impossible + undecided + returned + unfollowed + failed,
  }
}
