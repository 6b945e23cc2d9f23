import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import {
  formatRule,
  openRules,
  readRule,
  rulesFile,
  type StoredRule,
} from '../../workspace/consent/rules.ts'
import { hashDefinition } from '../../workspace/consent/create-approver.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { getUnavailableExitCode } from '../../workspace/tools/unavailable-tool.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { openTools } from '../../workspace/open-tools.ts'

/** `toolblocks approvals`: lists the calls that run without a question, in every workspace. */
export function listApprovals({ terminal }: CommandContext, { output }: SharedOptions): number {
  const approvals = openRules(rulesFile()).list()
  if (output === 'json') terminal.printJson({ approvals })
  else if (approvals.length === 0)
    terminal.print(
      terminal.style.plain(
        'No calls are allowed to run without asking, except by a configuration.',
      ),
    )
  else
    terminal.print(
      joinTerminal(
        approvals.map((each) => describe(each, terminal)),
        '\n',
      ),
    )
  return EXIT.ok
}

function describe(
  { id, root, rule, conversation, at }: StoredRule,
  { style }: Terminal,
): TerminalText {
  const where = conversation === undefined ? root : `${root}, conversation ${conversation}`
  return joinTerminal(
    [
      joinTerminal(
        [style.plain(id), sanitizeTerminalLine(formatRule(rule), { maxLength: Infinity })],
        '  ',
      ),
      style.dim(`          in ${where} since ${at.slice(0, 16).replace('T', ' ')}`),
    ],
    '\n',
  )
}

/** `toolblocks approvals allow RULE`: lets the calls that match a rule run without a question, until their tool changes. */
export async function allowCalls(
  context: CommandContext,
  text: string,
  options: SharedOptions,
): Promise<number> {
  const { terminal } = context
  const read = readRule(text)
  if (!read.ok) {
    terminal.report('error', `invalid rule: ${read.message}`)
    return EXIT.usage
  }
  const { rule } = read
  const opened = await openTools(context, { ...options, only: [rule.tool] })
  if (!opened.ok) return opened.code
  try {
    const { configuration, entries, names, workspace, left } = opened
    if (left.length > 0) return getUnavailableExitCode(left)
    const entry = entries.find(({ tool }) => tool.name === rule.tool)
    if (!entry) {
      const hint = didYouMean(rule.tool, names)
      terminal.report('error', `no tool "${rule.tool}" in ${configuration.file}${hint}`)
      return EXIT.usage
    }
    const definition = hashDefinition(entry, workspace)
    const { root } = configuration
    const store = openRules(rulesFile(), waitAtTerminal(context))
    const { id } = await store.remember({ root, rule, definition })
    terminal.print(
      terminal.style.plain(
        `Calls of ${formatRule(rule)} now run without asking in ${root} (${id}).`,
      ),
    )
    return EXIT.ok
  } finally {
    await Promise.all([opened.settled(), opened.close()])
  }
}

/** `toolblocks approvals revoke ID…`: removes rules, so that their calls need approval again. */
export async function revokeApprovals(
  context: CommandContext,
  ids: readonly string[],
): Promise<number> {
  const store = openRules(rulesFile(), waitAtTerminal(context))
  let code: number = EXIT.ok
  for (const id of ids) {
    if (await store.revoke(id)) continue
    context.terminal.report('error', `no approval "${id}"; "toolblocks approvals" lists them`)
    code = EXIT.usage
  }
  return code
}
