import type { LiveLine } from './live-line.ts'

/** Responses to requests that wait no longer, until the next actions. */
interface LateResponses {
  isEmpty(): boolean
  /** Whether the last response of the tool is among them. */
  hasLast(): boolean
  add(response: LiveLine, bytes: number): void
  /** Removes and returns the oldest. */
  next(): LiveLine | undefined
  takeAll(): readonly LiveLine[]
}

/** Creates a queue that keeps `limit` bytes. Of a response above it, the status remains and whether it is an error; a warning says what is lost. */
export function createLateResponses(limit: number): LateResponses {
  let kept: { response: LiveLine; bytes: number }[] = []
  return {
    isEmpty: () => kept.length === 0,
    hasLast: () => kept.some(({ response }) => response.status === 'stopped'),
    add: (response, bytes) => {
      const sum = kept.reduce((total, each) => total + each.bytes, bytes)
      kept.push(
        sum > limit ? { response: withoutContent(response, limit), bytes: 0 } : { response, bytes },
      )
    },
    next: () => kept.shift()?.response,
    takeAll: () => {
      const all = kept.map(({ response }) => response)
      kept = []
      return all
    },
  }
}

function withoutContent({ result, ...rest }: LiveLine, limit: number): LiveLine {
  return {
    ...rest,
    result: { content: [], isError: result.isError },
    warnings: [
      {
        path: '',
        message: 'the tool sent more late responses than are kept: one is lost; fetch more often',
        expected: `at most ${limit} bytes`,
        code: 'over-limit',
      },
    ],
  }
}
