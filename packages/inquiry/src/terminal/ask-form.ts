import {
  type Answer,
  type InputRequest,
  type JsonValue,
  type TerminalText,
} from '@toolblocks/protocol'
import type { FormField } from '../form/prompt-kind.ts'
import { getNeed, getTitle, isSecretField, readDefaults } from '../form/question-form.ts'
import { getProblems } from '../questions/find-problems.ts'
import { type PromptAnswer, type QuestionTerminal, ask } from './open-prompt.ts'
import { type FieldAnswer, askValue } from './ask-value.ts'
import { getDetails } from '../questions/question-details.ts'
import { getHeadline, joinWords, renderWhole, terminalText } from './words.ts'
import { promptOne } from './choice-prompt.ts'
import { show } from './prompts.ts'

interface Form {
  request: InputRequest
  fields: readonly FormField[]
  /** Values given until now, or preselected. */
  values: Map<string, JsonValue>
}

/** Asks for the fields of a flat object one by one, with defaults filled in. Esc goes back. The complete form is shown before it is sent. */
export async function askForm(
  {
    request,
    label,
    fields,
  }: { request: InputRequest; label: TerminalText; fields: readonly FormField[] },
  terminal: QuestionTerminal,
): Promise<Answer> {
  const form: Form = { request, fields, values: readDefaults(request.default, fields) }
  show.text([label], terminal.output)
  let seen = 0
  for (let index = 0; ;) {
    const field = fields[index]
    if (!field) {
      const reviewed = await reviewForm(form, terminal)
      if (reviewed.kind === 'end') return reviewed.answer
      if (reviewed.kind === 'value' && reviewed.value === SEND)
        return { action: 'accept', value: Object.fromEntries(form.values) }
      index = reviewed.kind === 'value' ? reviewed.value : fields.length - 1
      continue
    }
    const asked = await askField(field, { form, terminal, index })
    if (asked.kind === 'end') return asked.answer
    if (asked.kind === 'back') {
      index -= 1
      continue
    }
    if (asked.value === 'omitted') omitValue(field, form)
    else form.values.set(field.name, asked.value.value)
    seen = Math.max(seen, index + 1)
    index = seen === fields.length ? seen : index + 1
  }
}

async function askField(
  field: FormField,
  { form, terminal, index }: { form: Form; terminal: QuestionTerminal; index: number },
): Promise<PromptAnswer<FieldAnswer>> {
  const { fields } = form
  const before = fields[index - 1]
  const need = getNeed(field)
  const details = [...longTitle(field, terminal), ...getDetails(field.schema, need)]
  return await askValue(
    {
      label: terminalText`${renderLabel(field, terminal)} (${index + 1} of ${fields.length})`,
      details: details.map((line) => renderWhole(line, terminal.renderLine)),
      prompt: field.prompt,
      schema: field.schema,
      current: findCurrent(field, form),
      need,
      display: isSecretField(field) ? 'masked' : 'plain',
      previous: before && renderLabel(before, terminal),
    },
    terminal,
  )
}

/** Null means no value, unless it can be chosen. */
function findCurrent({ name, takesNull }: FormField, { values }: Form): JsonValue | undefined {
  const value = values.get(name)
  return value === null && takesNull ? undefined : value
}

/** A required value that may be null is set to null. */
function omitValue({ name, required }: FormField, { values }: Form): void {
  if (required) values.set(name, null)
  else values.delete(name)
}

const SEND = -1

/** Shows the complete form. The value is `SEND` or the index of the field to change. */
async function reviewForm(form: Form, terminal: QuestionTerminal): Promise<PromptAnswer<number>> {
  const { fields, request, values } = form
  const last = fields.at(-1)
  for (;;) {
    const asked = await ask(terminal, {
      previous: last && renderLabel(last, terminal),
      show: async (io) =>
        await promptOne(io, {
          label: terminalText`Send this, or choose what to change`,
          options: [
            { value: SEND, label: terminalText`Send` },
            ...fields.map((field, value) => ({
              value,
              label: terminalText`${renderLabel(field, terminal)}: ${formatValue(field, { values, terminal })}`,
            })),
          ],
          initial: SEND,
        }),
    })
    if (asked.kind !== 'value' || asked.value !== SEND) return asked
    const problems = getProblems(Object.fromEntries(values), request.schema)
    if (problems.length === 0) return asked
    for (const { path, message } of problems)
      show.warning(terminal.renderLine(`${path} ${message}`), terminal.output)
  }
}

function renderLabel(field: FormField, { renderLine }: QuestionTerminal): TerminalText {
  return getHeadline(getTitle(field), renderLine).label
}

/** The complete title if the label shows only its beginning. */
function longTitle(field: FormField, { renderLine }: QuestionTerminal): string[] {
  const title = getTitle(field)
  return getHeadline(title, renderLine).extent === 'begun' ? [title] : []
}

function formatValue(
  field: FormField,
  { values, terminal }: { values: Form['values']; terminal: QuestionTerminal },
): TerminalText {
  const value = values.get(field.name)
  if (value === undefined) return terminalText`(omitted)`
  if (isSecretField(field)) return terminalText`▪▪▪`
  if (typeof value === 'boolean') return value ? terminalText`Yes` : terminalText`No`
  const texts = (Array.isArray(value) ? value : [value]).map((one) =>
    terminal.renderLine(typeof one === 'string' ? one : JSON.stringify(one)),
  )
  const text = joinWords(texts, ', ')
  return text === '' ? terminalText`(empty)` : text
}
