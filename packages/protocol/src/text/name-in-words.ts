import { printableJson } from '../json/printable-json.ts'

/** A name of a tool or a server in quotes, as it stands in a sentence of a host: one line, whatever characters it has. */
export function nameInWords(name: string): string {
  return printableJson(JSON.stringify(name))
}
