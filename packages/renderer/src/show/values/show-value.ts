import {
  isWellKnownValue,
  printableJson,
  type ToolResultValue,
  type WellKnownValue,
} from '@toolblocks/protocol'
import type { ShowContext, ValueContext } from '../show-context.ts'
import type { ShownPart } from '../shown-part.ts'
import { toJson } from './to-json.ts'
import type { Chosen } from './choose-structured.ts'
import { showDiff } from './show-diff.ts'
import { showFileContent, showFileList, showImage } from './show-files.ts'
import { showTable } from './show-table.ts'
import { isToldBy } from './told-by-blocks.ts'

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

/**
 * A semantic value: its summary, and its data by the host's renderer of its kind, else by that of a well-known kind, else as
 * JSON. What a block tells already is not told again.
 */
function showValue(value: ToolResultValue, context: ShowContext & ValueContext): ShownStructured {
  const { kind, summary } = value
  const registered = showRegistered(value, context)
  const isRaw = value.display?.preferredView === 'raw' || !isWellKnownValue(value)
  const body =
    registered.parts ?? (isRaw ? [showJson(value.data, context)] : showWellKnown(value, context))
  const isNamed = isRaw && !registered.parts && kind !== 'structured'
  const label = summary ?? (isNamed ? kind : '')
  const heading: ShownPart[] =
    label === '' || isToldBy(context.content, label) ? [] : [{ kind: 'heading', text: label }]
  return { parts: [{ kind: 'group', parts: [...heading, ...body] }], remarks: registered.remarks }
}

function showRegistered(
  value: ToolResultValue,
  { registry, root, content, mostRows, cut }: ShowContext & ValueContext,
): { parts?: readonly ShownPart[]; remarks: readonly ShownPart[] } {
  const renderer = registry?.find(value.kind)
  if (!renderer) return { remarks: [] }
  try {
    return { parts: renderer(value, { root, content, mostRows, cut }), remarks: [] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The renderer of "${value.kind}" failed, so the value is shown without it: ${reason}`
    return { remarks: [{ kind: 'warning', path: '', message, facts: [] }] }
  }
}

function showWellKnown(value: WellKnownValue, context: ValueContext): readonly ShownPart[] {
  switch (value.kind) {
    case 'text':
      return isToldBy(context.content, value.data.content)
        ? []
        : [{ kind: 'text', ...context.cut(value.data.content) }]
    case 'file_content':
      return showFileContent(value, context)
    case 'file_list':
      return showFileList(value, context)
    case 'table':
      return showTable(value, context)
    case 'diff':
      return showDiff(value, context)
    case 'image':
      return showImage(value)
    case 'structured':
      return [showJson(value.data, context)]
  }
}

/** A value as indented JSON, in which what does not print is escaped; what is no JSON is said. */
function showJson(value: unknown, { cut }: Pick<ValueContext, 'cut'>): ShownPart {
  const json = toJson(value, 2)
  if (json !== undefined) return { kind: 'text', ...cut(printableJson(json)) }
  return { kind: 'notice', text: '(structured content that is no JSON)' }
}
