import { join } from 'node:path'
import { joinTerminal } from '@toolblocks/renderer'
import { CONFIGURATION_FILE } from '../../workspace/files/find-configuration.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { writeTogether } from '../../workspace/files/write-file.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { getFileLock, withLock } from '../../workspace/locks/with-lock.ts'
import { agreeToWritten } from '../../workspace/consent/decisions.ts'
import type { CommandContext } from '../../terminal/command-context.ts'

const CONFIGURATION = `# The tools of this folder. Each tool is a program; docs/protocol.md of toolblocks describes its input and output.
# Its parameters are listed here; "parameters = {}" is a tool without parameters. Without any, the program is asked for its description.

[tools.count_words]
source = "local"
command = ["sh", "tools/count-words.sh", "{{tool.arguments.path}}"]
summary = "Count the lines, words and bytes of a file."
run = "unattended"                # or ask (the default), deny, skip

[tools.count_words.parameters.path]
type = "string"
default = "toolblocks.toml"
summary = "Path relative to this folder."
`

const TOOL = `#!/bin/sh
# Plain text is a result. An exit code other than 0 is a failure, and standard error explains it.
wc -- "$1"
`

/** `toolblocks init`: writes a configuration with one tool that works. No existing file is replaced. */
export async function initializeWorkspace(context: CommandContext): Promise<number> {
  const { terminal, command, folder } = context
  const { style } = terminal
  const file = join(folder, CONFIGURATION_FILE)
  // Another process may write a first configuration at the same time.
  const written = await withLock(
    getFileLock(file),
    waitAtTerminal(context),
    async () =>
      await writeTogether(folder, [
        { name: CONFIGURATION_FILE, text: CONFIGURATION, mode: 0o644 },
        { name: 'tools/count-words.sh', text: TOOL, mode: 0o755 },
      ]),
  )
  if (!written.ok) {
    terminal.report('error', `${written.message}; nothing was written`)
    return EXIT.usage
  }
  const parsed = await parseConfiguration(CONFIGURATION, file)
  if (parsed.ok)
    await agreeToWritten(context, parsed.configuration, (part) => part === 'tool count_words')
  const lines = [
    `Wrote ${CONFIGURATION_FILE} and tools/count-words.sh. Try:`,
    `  ${command} tools`,
    `  ${command} call count_words`,
    `  ${command} call count_words --arg path=tools/count-words.sh --output json`,
  ]
  terminal.print(joinTerminal(lines.map(style.plain), '\n'))
  return EXIT.ok
}
