// Creates the tools of a workspace like the command, and prints the milliseconds from the call to the result, and those in which this thread was
// busy.
import { join } from 'node:path'
import { parseConfiguration } from '../../apps/reference-host/src/workspace/configuration/parse-configuration.ts'
import { readFileSync } from 'node:fs'
import { openDescriptions } from '../../apps/reference-host/src/workspace/tools/describe-tools.ts'
import { resolveTools } from '../../apps/reference-host/src/workspace/tools/resolve-tools.ts'
import { keepCompiledCode } from '../../apps/reference-host/src/process/keep-compiled-code.ts'
import { createTerminal } from '../../apps/reference-host/src/terminal/terminal.ts'

// The command does this first, too.
keepCompiledCode()
const file = join(process.argv[2] ?? '', 'toolblocks.toml')
const parsed = await parseConfiguration(readFileSync(file, 'utf8'), file)
if (!parsed.ok) throw new Error('the configuration is invalid')
const { configuration } = parsed
const context = {
  terminal: createTerminal(process),
  signal: new AbortController().signal,
  command: '',
  folder: configuration.root,
  interrupt: () => {},
  readText: async () => '',
}
const start = performance.now()
const used = process.threadCpuUsage()
const { describe, findTool, keepTool, settled } = openDescriptions(context, configuration, {})
const known = { find: findTool, keep: keepTool }
const { tools } = await resolveTools(configuration, { describe, known })
const { user, system } = process.threadCpuUsage(used)
const elapsed = performance.now() - start
await settled()
if (tools.length === 0) throw new Error('there are no tools')
process.stdout.write(JSON.stringify({ elapsed, working: (user + system) / 1000 }))
