import { writeCommand } from '@toolblocks/local-executor'
import { isJsonObject } from '@toolblocks/protocol'
import type { WrittenServer } from './written-servers.ts'

/**
 * What a server would have started or sent, as it is written: a person agrees to this text. A variable such as NODE_OPTIONS or a
 * header with a secret can do as much as the command, so they belong to it.
 */
export function describeStart({ table }: WrittenServer): string {
  const { command, args, url, cwd } = table
  if (typeof url === 'string')
    return [`connection to ${url}`, ...pairsOf(table['headers'], ': ')].join(' ')
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === 'string',
  )
  const place = typeof cwd === 'string' ? [`(in ${cwd})`] : []
  return [...pairsOf(table['env'], '='), writeCommand(words), ...place].join(' ')
}

function pairsOf(values: unknown, between: string): readonly string[] {
  if (!isJsonObject(values)) return []
  return Object.entries(values).map(([name, value]) =>
    JSON.stringify(`${name}${between}${String(value)}`),
  )
}
