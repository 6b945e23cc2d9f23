import type { Configuration } from '../configuration/configuration.ts'
import { parseConfiguration } from '../configuration/parse-configuration.ts'

/** The table of a tool: source and command only, for it says the rest itself. */
export function tableOf(name: string, command: readonly string[]): string {
  const words = command.map((word) => JSON.stringify(word)).join(', ')
  return `[tools.${name}]\nsource = "local"\ncommand = [${words}]\n`
}

/** Appends the table of a tool; `undefined` where the configuration can take no more of them. */
export async function appendTool(
  text: string,
  name: string,
  table: string,
): Promise<string | undefined> {
  return await appendTable(text, table, ({ tools }) => Object.hasOwn(tools, name))
}

/**
 * Appends a table to the text of a configuration, which stays as it was written, comments and all; `undefined` where it can
 * take no more tables (`tools = {…}`), so that the table cannot be found in it.
 */
export async function appendTable(
  text: string,
  table: string,
  isThere: (configuration: Configuration) => boolean,
): Promise<string | undefined> {
  const between = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const added = `${between}${table}`
  const longer = `${text}${text.includes('\r\n') ? added.replaceAll('\n', '\r\n') : added}`
  const parsed = await parseConfiguration(longer, 'toolblocks.toml')
  return parsed.ok && isThere(parsed.configuration) ? longer : undefined
}
