import type { ModelProfile } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { deliveryLimits, formatOptions } from '../../workspace/configuration/agent-settings.ts'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { readProfile } from '../../workspace/model/providers.ts'
import { type Abilities, loadAbilities, showToPerson } from '../../terminal/show-to-person.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** The options that select how results are shown. */
export interface OpenViewOptions {
  modelView?: boolean
  /** The maximum number of lines of one block. */
  lines?: number
  /** Whether to show also what the tool printed on standard error. */
  verbose?: boolean
}

/** The options of `toolblocks call` that show more. */
const HINTS = { cut: 'shown with --lines all', stderr: 'shown with --verbose' }

/** Prints results. */
export interface OpenView {
  /** Loads the readers that a result needs. Without them, Markdown and code are shown as plain text. */
  prepare(result: ToolResult): Promise<void>
  show(result: ToolResult): void
}

/** Returns a printer of results as text: for a person, or as a model receives it. The formatter is loaded only for the model's view. */
export async function openView(
  terminal: Terminal,
  {
    configuration: { root, format, deduplication, budget, model },
    entry: {
      tool: { name: tool },
      deduplicate,
    },
    view: { modelView, lines, verbose },
  }: { configuration: Configuration; entry: ToolEntry; view: OpenViewOptions },
): Promise<OpenView> {
  if (!modelView) {
    const stderr = verbose ? 'show' : 'name'
    let abilities: Abilities = {}
    return {
      prepare: async (result) => {
        abilities = await loadAbilities([result], terminal)
      },
      show: (result) => {
        showToPerson(result, terminal, { root, lines, stderr, hints: HINTS, abilities })
        const { outcome, question } = result.metadata ?? {}
        if (outcome === 'unanswered' && question !== undefined)
          terminal.note(terminal.style.dim(`answer with --answer ${question}=…`))
      },
    }
  }
  const { createDeliverer } = await import('@toolblocks/agent')
  const { textForModel } = await import('../../workspace/model/text-for-model.ts')
  const profile = await readProfile(model)
  const how = { format: formatOptions({ format, root }), ...(profile && { profile }) }
  const deliver = createDeliverer([], {
    ...deliveryLimits({ deduplication, budget }),
    ...how,
    turn: 1,
    deliverAs: () => deduplicate,
  })
  const fitted = new WeakMap<ToolResult, ToolResult>()
  return {
    prepare: async (result) => {
      if (profile) fitted.set(result, await fitPictures(result, { tool, profile }))
    },
    show: (result) => {
      const { event } = deliver(result, tool)
      terminal.print(terminal.sanitize(textForModel(fitted.get(result) ?? result, event, how)))
    },
  }
}

/** Returns a result with the pictures that a request to the model would have. */
async function fitPictures(
  result: ToolResult,
  { tool, profile }: { tool: string; profile: ModelProfile },
): Promise<ToolResult> {
  const { createPictureFitter } = await import('@toolblocks/formatter/pictures')
  const fitter = createPictureFitter()
  const call = { id: result.id ?? '', name: tool, arguments: {} }
  try {
    const { messages } = await fitter.fitRequest(
      { messages: [{ role: 'tool', results: [{ call, result }] }], tools: [] },
      profile,
    )
    const [message] = messages
    return message?.role === 'tool' ? (message.results[0]?.result ?? result) : result
  } finally {
    await fitter.close()
  }
}
