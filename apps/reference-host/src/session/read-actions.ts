/** What is done with a call that stays alive, once it has started. */
export type Step =
  | { action: 'fetch' | 'abort' }
  /** Text to type, or an answer; read when it is its turn. */
  | { action: 'apply'; text: string }

/** Reads `--action apply=TEXT`, `fetch` and `abort`, in their order. */
export function readActions(
  typed: readonly string[],
): { ok: true; steps: readonly Step[] } | { ok: false; message: string } {
  const steps: Step[] = []
  for (const word of typed) {
    if (word === 'fetch' || word === 'abort') steps.push({ action: word })
    else if (word.startsWith('apply=')) steps.push({ action: 'apply', text: word.slice(6) })
    else {
      const message = `--action ${JSON.stringify(word)}: expected apply=TEXT, fetch or abort`
      return { ok: false, message }
    }
  }
  return { ok: true, steps }
}
