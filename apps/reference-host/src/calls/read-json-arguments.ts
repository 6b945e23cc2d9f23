import { isJsonObject, shortenText } from '@toolblocks/protocol'
import type { ReadArguments } from './read-arguments.ts'

/** Reads a file by its name, or standard input for `-`; rejects where that is impossible. */
export type ReadText = (name: string) => Promise<string>

/** Reads `--arguments`: an object, `@FILE`, or `-` for standard input. */
export async function readJsonArguments(typed: string, readText: ReadText): Promise<ReadArguments> {
  const name = typed === '-' ? '-' : typed.startsWith('@') ? typed.slice(1) : undefined
  if (name === '') return bad('--arguments @: expected the name of a file after @')
  const place = name === undefined ? '--arguments' : `--arguments ${typed}`
  try {
    return parse(place, name === undefined ? typed : await readText(name))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return bad(`${place}: cannot be read: ${reason}`)
  }
}

function parse(place: string, text: string): ReadArguments {
  const expected = `${place}: expected a JSON object such as '{"path":"a.txt"}'`
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ok: true, values: { ...value } }
    return bad(`${expected}, got ${shortenText(text, 60)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return bad(`${expected}; this is not JSON: ${reason}`)
  }
}

function bad(message: string): ReadArguments {
  return { ok: false, message }
}
