import { formatCommand } from '@toolblocks/local-executor'
import type { ContentBlock } from '@toolblocks/protocol'
import { attachFile } from './attach-file.ts'
import type { AskedPeople } from '../../terminal/share-screen.ts'
import { type AgentOptions, openAgent } from './open-agent.ts'
import { renderTurn, showTurn } from './show/show-turn.ts'
import { createWaitingLine } from '../../terminal/show-progress.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'

/** The options of `toolblocks run`. */
export interface RunOptions extends Omit<AgentOptions, 'output' | 'command'> {
  /** `jsonl`: prints each event on a line after it is stored. */
  output?: 'text' | 'jsonl'
  attach?: readonly string[]
  modelView?: boolean
  /** `false` with `--no-input`. */
  input: boolean
}

/** `toolblocks run PROMPT`: runs one turn with a model and makes its calls. */
export async function runPrompt(
  context: CommandContext,
  [prompt = '', ...more]: readonly string[],
  options: RunOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  if (more.length > 0) {
    const quoted = formatCommand([[prompt, ...more].join(' ')])
    const message = `expected the prompt as one argument, got ${more.length + 1}; put it in quotes: ${context.command} run ${quoted}`
    terminal.report('error', message)
    return EXIT.usage
  }
  const text = prompt === '-' ? await context.readText('-') : prompt
  const content: ContentBlock[] = [{ type: 'text', text }]
  for (const path of options.attach ?? []) {
    const attached = await attachFile(folder, path)
    if (!attached.ok) {
      terminal.report('error', `--attach ${attached.message}`)
      return EXIT.usage
    }
    content.push(attached.block)
  }
  const lines = options.output === 'jsonl'
  const waiting = createWaitingLine(terminal)
  const people = options.input && !lines ? waiting.aside(await findPeople(context)) : {}
  const { output: _printed, ...rest } = options
  const opened = await openAgent(
    context,
    { ...rest, command: 'run' },
    {
      ...people,
      ...(lines && { onEvent: (event) => terminal.printJson(event, 'line') }),
    },
  )
  if (!opened.ok) return opened.code
  const { agent } = opened
  const view = showTurn(terminal, {
    root: agent.root,
    kept: agent.storeName === undefined ? undefined : agent.conversation().id,
    modelView: () => options.modelView === true,
    waiting,
    signal,
  })
  const shown = lines ? { show: () => {}, finish: () => {} } : view
  try {
    return await renderTurn(
      terminal,
      shown,
      async (show) => await agent.runTurn(content, { signal, show }),
    )
  } finally {
    await agent.close()
  }
}

/** Prompts are loaded only if a person can see them. */
async function findPeople({ terminal, interrupt, folder }: CommandContext): Promise<AskedPeople> {
  if (!terminal.isInteractive) return {}
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const { createLastingApproval } =
    await import('../../workspace/approvals/ask-lasting-approval.ts')
  const user = createPerson(terminal, { root: folder, interrupt })
  const approve = createLastingApproval(terminal, { root: folder, interrupt })
  return { ...(user && { user }), ...(approve && { approve }) }
}
