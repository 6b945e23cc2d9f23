import type { ToolEntry } from '@toolblocks/tool-executor'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { createEntry, defineFromConfiguration } from './define-tool.ts'

/** Creates the entry of the only tool in a configuration, whose file is in a folder. */
export async function configuredEntry(text: string, folder: string): Promise<ToolEntry> {
  const parsed = await parseConfiguration(text, `${folder}/toolblocks.toml`)
  const [table] = parsed.ok ? Object.entries(parsed.configuration.tools) : []
  if (!table) throw new Error(`expected a tool: ${JSON.stringify(parsed)}`)
  const created = createEntry(...table, defineFromConfiguration(...table))
  if (!created.ok) throw new Error(JSON.stringify(created.problems))
  return created.entry
}
