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
  return {
    prepare: async () => {},
    show: (result) => {
      const { event } = deliver(result, tool)
      terminal.print(terminal.sanitize(textForModel(result, event, how)))
    },
  }
}
