import { isWellKnownKind, type ToolResultValue } from '@toolblocks/protocol'
import { type ShowContext, type ValueContext, withFewerLines } from '../context/show-context.ts'
import type { ShownPart } from '../shown-part.ts'
import type { Chosen } from './choose-structured.ts'
import { asksForOtherView, showWellKnown } from './show-well-known.ts'
import { summarizeValue } from './summarize-value.ts'
import { isToldBy } from './told-by-blocks.ts'
import { showJson } from './views/show-json.ts'
import { showView } from './views/show-view.ts'
import { type View, viewsOf } from './views/views-of.ts'

/** What is shown of structured content, and what the host should know of how that went. */
interface ShownStructured {
  parts: readonly ShownPart[]
  remarks: readonly ShownPart[]
}

/** Structured content as it was chosen to be shown. */
export function showStructured(
  { content, structured }: Chosen,
  context: ShowContext,
): ShownStructured {
  switch (structured.kind) {
    case 'none':
      return { parts: [], remarks: [] }
    case 'json':
      return { parts: [showJson(structured.value, context)], remarks: [] }
    case 'value':
      return showValue(structured.value, { ...context, content })
    case 'hidden': {
      const text = `(${structured.value.kind}: hidden, as the tool asks)`
      return { parts: [{ kind: 'notice', text }], remarks: [] }
    }
  }
}

/** A semantic value: its summary, and its data, folded and cut as its hints say. */
function showValue(value: ToolResultValue, given: ShowContext & ValueContext): ShownStructured {
  const { maxHeight, collapsed } = value.display ?? {}
  const isTall = maxHeight !== undefined && maxHeight >= 1
  const context = isTall && given.tallValues === 'cut' ? withFewerLines(given, maxHeight) : given
  const { parts, step, remarks } = showData(value, context)
  const label = value.summary ?? (isNamedByKind(value.kind, step) ? value.kind : '')
  if (collapsed === true && context.foldsValues) {
    const summary = label === '' ? summarizeValue(value) : label
    return { parts: [{ kind: 'fold', summary, parts }], remarks }
  }
  const heading: ShownPart[] =
    label === '' || isToldBy(context.content, label) ? [] : [{ kind: 'heading', text: label }]
  const scroll = isTall && given.tallValues === 'scroll' && { maxHeight }
  return { parts: [{ kind: 'group', parts: [...heading, ...parts], ...scroll }], remarks }
}

/** What a kind of its own is stands above it, unless the host's renderer says so; JSON may be of any kind. */
function isNamedByKind(kind: string, step: ShownData['step']): boolean {
  if (kind === 'structured') return false
  return step === 'json' || (step === 'view' && !isWellKnownKind(kind))
}

interface ShownData {
  parts: readonly ShownPart[]
  /** What showed it. `json`: nothing else could. */
  step: 'registered' | 'well-known' | 'view' | 'json'
  remarks: readonly ShownPart[]
}

/** The view of a well-known kind. */
const OWN = 'own'
type Step = View | typeof OWN
const STEPS: Readonly<Partial<Record<Step, ShownData['step']>>> = {
  own: 'well-known',
  raw: 'json',
}

/**
 * The data of a value by the first that can: the host's renderer of its kind; that of a well-known kind, behind another view of
 * the kind that the tool prefers; the view that the tool prefers, its mime type or the shape of the data suggests; JSON.
 */
function showData(value: ToolResultValue, context: ShowContext & ValueContext): ShownData {
  const { parts: registered, remarks } = showRegistered(value, context)
  if (registered) return { parts: registered, step: 'registered', remarks }
  const [first, ...others] = viewsOf(value)
  const views: readonly Step[] = asksForOtherView(value)
    ? [first, OWN, ...others]
    : [OWN, first, ...others]
  for (const view of views) {
    const parts = view === OWN ? showWellKnown(value, context) : showView(view, value, context)
    if (parts) return { parts, step: STEPS[view] ?? 'view', remarks }
  }
  return { parts: [showJson(value.data, context)], step: 'json', remarks }
}

function showRegistered(
  value: ToolResultValue,
  { registry, root, content, mostRows, cut, cutRows, readers }: ShowContext & ValueContext,
): { parts?: readonly ShownPart[]; remarks: readonly ShownPart[] } {
  const renderer = registry?.find(value.kind)
  if (!renderer) return { remarks: [] }
  try {
    const parts = renderer(value, { root, content, mostRows, cut, cutRows, readers })
    return { parts, remarks: [] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The renderer of "${value.kind}" failed, so the value is shown without it: ${reason}`
    return { remarks: [{ kind: 'warning', path: '', message, facts: [] }] }
  }
}
