import type { ToolRequest } from '@toolblocks/protocol'
import { NOT_JSON } from '../tool-request.ts'
import { renderTemplate, type Template, valueAt } from './template.ts'
import type { LocalProblem } from '../local-problem.ts'

/** One argument must be shorter than this many bytes: 100 KiB, below Linux's 128 KiB. */
export const MAX_ARGUMENT_BYTES = 100 * 1024
/** All arguments together must be shorter than this many bytes: 1 MiB, below Linux's 2 MiB with the environment. */
export const MAX_ARGUMENTS_BYTES = 1024 * 1024

type Rendered =
  | { ok: true; args: readonly string[]; warnings: readonly LocalProblem[] }
  | { ok: false; message: string }

/** The arguments for one call, or why no operating system would take them. */
export function renderArguments(templates: readonly Template[], request: ToolRequest): Rendered {
  try {
    return renderAll(templates, request)
  } catch {
    return { ok: false, message: NOT_JSON }
  }
}

function renderAll(templates: readonly Template[], request: ToolRequest): Rendered {
  const args: string[] = []
  let total = 0
  for (const template of templates) {
    const text = renderTemplate(template, request)
    const bytes = Buffer.byteLength(text)
    total += bytes + 1
    const message = refuse(template, text, bytes) ?? refuseTotal(total)
    if (message !== undefined) return { ok: false, message }
    args.push(text)
  }
  return { ok: true, args, warnings: warnOfOptions(templates, request) }
}

function refuse(template: Template, text: string, bytes: number): string | undefined {
  if (bytes >= MAX_ARGUMENT_BYTES) {
    return `The argument ${template.source} has ${bytes} bytes; one argument must stay below ${MAX_ARGUMENT_BYTES}. ${STDIN}`
  }
  if (text.includes('\0')) {
    return `The argument ${template.source} contains a NUL character, which no program can be given as an argument. ${STDIN}`
  }
  return undefined
}

function refuseTotal(total: number): string | undefined {
  if (total < MAX_ARGUMENTS_BYTES) return undefined
  return `The arguments have ${total} bytes or more; together they must stay below ${MAX_ARGUMENTS_BYTES}. ${STDIN}`
}

const STDIN =
  'Let the tool read the JSON document on stdin, which has the same values without a limit, and take the placeholder out of its command.'

/** A model's text that starts with a dash is an option to most programs, unless `--` stands before it. */
function warnOfOptions(
  templates: readonly Template[],
  request: ToolRequest,
): readonly LocalProblem[] {
  const end = templates.findIndex((template) => template.source === '--')
  return templates.slice(0, end === -1 ? undefined : end).flatMap(({ source, parts: [first] }) => {
    if (first === undefined || typeof first === 'string') return []
    const [root, field] = first.path
    const value = valueAt(request, first.path)
    if (root !== 'tool' || (field !== 'arguments' && field !== 'answers')) return []
    if (typeof value !== 'string' || !value.startsWith('-')) return []
    const message = `The value of ${source} starts with "-" and may be taken for an option: write -- before it in the command.`
    return [{ path: `/${first.path.join('/')}`, code: 'argument-like-option', message }]
  })
}
