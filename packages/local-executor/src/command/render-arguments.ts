import type { ToolRequest } from '@toolblocks/protocol'
import { NOT_JSON } from '../tool-request.ts'
import type { Argument } from './command.ts'
import { renderTemplate, type Template, toText, valueAt } from './template.ts'

/** One argument must be shorter than this many bytes: 100 KiB, below Linux's 128 KiB. */
export const MAX_ARGUMENT_BYTES = 100 * 1024
/** All arguments together must be shorter than this many bytes: 1 MiB, below Linux's 2 MiB with the environment. */
export const MAX_ARGUMENTS_BYTES = 1024 * 1024

type Rendered = { ok: true; args: readonly string[] } | { ok: false; message: string }

/** The arguments for one call, or why no operating system would take them, or a program would take one for an option. */
export function renderArguments(templates: readonly Argument[], request: ToolRequest): Rendered {
  try {
    return renderAll(templates, request)
  } catch {
    return { ok: false, message: NOT_JSON }
  }
}

function renderAll(templates: readonly Argument[], request: ToolRequest): Rendered {
  const args: string[] = []
  let total = 0
  for (const template of templates) {
    const text = renderTemplate(template, request)
    const bytes = Buffer.byteLength(text)
    total += bytes + 1
    const message =
      refuse(template, text, bytes) ?? refuseTotal(total) ?? refuseDash(template, request)
    if (message !== undefined) return { ok: false, message }
    args.push(text)
  }
  return { ok: true, args }
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

/** Text of a model or a person that begins a word with a dash is an option to most programs. */
function refuseDash({ parts, takesDash }: Argument, request: ToolRequest): string | undefined {
  if (takesDash) return undefined
  for (const part of parts) {
    if (typeof part === 'string') return undefined
    const value = valueAt(request, part.path)
    const [root, field, ...name] = part.path
    const isGiven = root === 'tool' && (field === 'arguments' || field === 'answers')
    if (isGiven && typeof value === 'string' && value.startsWith('-')) {
      const beginning = JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
      const what = field === 'answers' ? 'answer' : 'argument'
      const allow = field === 'answers' ? '' : `, or allow_dash = true for the parameter`
      return `The ${what} ${JSON.stringify(name.join('.'))} begins with a dash (${beginning}), so the program could take it for an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command${allow}.`
    }
    if (toText(value) !== '') return undefined
  }
  return undefined
}
