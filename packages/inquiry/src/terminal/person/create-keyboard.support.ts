import { PassThrough, Writable } from 'node:stream'
import type { Keyboard } from '../open-prompt.ts'

/** A keyboard that counts how often raw mode was set, and records what is written after. */
export function createKeyboard(
  signal: AbortSignal,
): Keyboard & { input: NodeJS.ReadStream; raw: boolean[]; written: string[] } {
  const raw: boolean[] = []
  const written: string[] = []
  const input = Object.assign(new PassThrough(), {
    setRawMode: (mode: boolean) => void raw.push(mode),
  })
  const output = new Writable({
    write: (data, _encoding, done) => {
      written.push(String(data))
      done()
    },
  })
  return {
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    signal,
    onInterrupt: () => undefined,
    raw,
    written,
  }
}
