import {
  type InputRequest,
  isSecret,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Problem,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  requireArguments,
  isJsonValue,
  parseJson,
  splitPointer,
} from '@toolblocks/protocol/internal'
import { getProblems } from '../questions/find-problems.ts'
import { getDetails } from '../questions/question-details.ts'
import type { Choice } from '../questions/read-choices.ts'
import { type FormField, getPromptKind, takesNull, type ValuePrompt } from './prompt-kind.ts'

/** What a person fills in for one value. */
export type FieldInput =
  /** One of several values, for example yes or no. */
  | { kind: 'choice'; choices: readonly Choice[] }
  /** Any number of several values. */
  | { kind: 'choices'; choices: readonly Choice[] }
  | {
      kind: 'text'
      /** `several`: a free text, which may have several lines. `one`: its format, pattern or length says that it is one line. */
      lines: 'one' | 'several'
    }
  | {
      kind: 'number'
      /** Whether only whole numbers are valid. */
      numbers: 'any' | 'whole'
    }
  /** A list of texts, one in each line. */
  | { kind: 'lines' }

/** One value of a form. All texts come from the tool, unsanitized. */
export interface QuestionField {
  /** The name of the property. Empty if the question asks for one value. */
  name: string
  /** The title of the property, else its name. Empty if the question asks for one value; the text of the question is its label. */
  label: string
  /** Lines below the label: the description and the limits of the schema. */
  details: readonly string[]
  input: FieldInput
  /** Whether what is typed must neither be seen nor stored. Default: false. */
  isSecret?: boolean
  /** Whether the field may be left empty. */
  need: 'required' | 'optional'
  /** What is filled in first, in the form of a `FormDraft`: the default. */
  initial: readonly string[]
}

/** The form for a question: plain data, from which a page or a window makes its inputs. */
export type QuestionForm =
  /** The answer is the value of the only field. */
  | { kind: 'value'; field: QuestionField }
  /** The answer is an object with these properties. */
  | { kind: 'object'; fields: readonly QuestionField[] }
  /** No inputs fit the schema: the answer is typed as JSON. `initial` is the default as JSON, or empty. `isSecret`: as of a field. */
  | { kind: 'json'; initial: string; isSecret?: boolean }

/**
 * What a person has typed or chosen, by the names of the fields; for a form of JSON, the text under the empty name. Each choice is the position of its
 * value as digits (`0`: the first). All other inputs have one text.
 */
export type FormDraft = ReadonlyMap<string, readonly string[]>

/** A problem of a draft, for display at its field, unsanitized. It may contain what was typed. */
export interface FieldProblem {
  /** The name of the field. Absent: the problem is not in one field. */
  field?: string
  message: string
}

/** The answer that a draft means, or its problems. */
export type DraftResult =
  | { ok: true; value: JsonValue }
  | { ok: false; problems: readonly FieldProblem[] }

/** Returns the form for the answer of a question. With its `id`, a question that is named like a secret asks for one. */
export function createQuestionForm(
  request: Pick<InputRequest, 'schema' | 'default'> & Partial<Pick<InputRequest, 'id'>>,
): QuestionForm {
  requireArguments('createQuestionForm(request)', [request, 'object'])
  const { id = '', schema, default: preselected } = request
  const prompt = getPromptKind(schema)
  switch (prompt.kind) {
    case 'form': {
      const values = readDefaults(preselected, prompt.fields)
      const fields = prompt.fields.map((field) => toField(field, values.get(field.name)))
      return { kind: 'object', fields }
    }
    case 'editor':
      return {
        kind: 'json',
        initial: preselected === undefined ? '' : JSON.stringify(preselected, null, 2),
        ...(isSecret({ id, schema }) && { isSecret: true }),
      }
    case 'yes-no':
    case 'select':
    case 'multi-select':
    case 'text':
    case 'number':
    case 'lines': {
      const isDefault = preselected !== undefined && getProblems(preselected, schema).length === 0
      const initial = isDefault ? preselected : undefined
      const field = toField(toOnlyField(schema, prompt), initial)
      return {
        kind: 'value',
        field: { ...field, ...(isSecret({ id, schema }) && { isSecret: true }) },
      }
    }
  }
}

/** The field of a question for one value. It is omitted only if it may be null. */
function toOnlyField(schema: JsonSchema, prompt: ValuePrompt): FormField {
  const described = isJsonObject(schema) ? schema : {}
  return {
    name: '',
    schema: described,
    prompt,
    required: true,
    ...(takesNull(described) && { takesNull: true }),
  }
}

function toField(field: FormField, current: JsonValue | undefined): QuestionField {
  const { name, schema, prompt } = field
  const need = getNeed(field)
  const input = toInput(prompt)
  const isOmitted = current === undefined || (current === null && field.takesNull)
  return {
    name,
    label: getTitle(field),
    details: getDetails(schema, need),
    input,
    need,
    initial: isOmitted ? [] : toTyped(input, current),
    ...(isSecretField(field) && { isSecret: true }),
  }
}

/** Whether a field asks for a secret, by its name or schema. */
export function isSecretField({ name, schema }: Pick<FormField, 'name' | 'schema'>): boolean {
  return isSecret({ id: name, schema })
}

/** Whether a field may be left empty: it is not required, or it may be null. */
export function getNeed({ required, takesNull: isNullable }: FormField): 'required' | 'optional' {
  return required && !isNullable ? 'required' : 'optional'
}

/** Returns the title of a field, else its name. */
export function getTitle({ name, schema }: Pick<FormField, 'name' | 'schema'>): string {
  const { title } = schema
  return typeof title === 'string' && title !== '' ? title : name
}

/** Returns the valid values that are filled in first: those of the question's default, else those of the schemas of the fields. */
export function readDefaults(
  preselected: JsonValue | undefined,
  fields: readonly FormField[],
): Map<string, JsonValue> {
  const initialValues: JsonObject = isJsonObject(preselected) ? preselected : {}
  const values = new Map<string, JsonValue>()
  for (const { name, schema } of fields) {
    const value = Object.hasOwn(initialValues, name) ? initialValues[name] : schema['default']
    if (isJsonValue(value) && getProblems(value, schema).length === 0) values.set(name, value)
  }
  return values
}

const YES_OR_NO: readonly Choice[] = [
  { value: true, title: 'Yes' },
  { value: false, title: 'No' },
]

/**
 * Returns the value of a choice as text, for display beside the title, because a title may be misleading; `undefined` if the title says the value, as
 * `Yes` does for true. Unsanitized.
 */
export function findChoiceHint(choice: Choice): string | undefined {
  requireArguments('findChoiceHint(choice)', [choice, { title: 'string' }])
  const { value, title } = choice
  const text = String(value)
  const json = JSON.stringify(value)
  const word = YES_OR_NO.find((each) => each.value === value)?.title
  const isSaid = [text, json, word].some((each) => each?.toLowerCase() === title.toLowerCase())
  return isSaid || title.endsWith(`(${json})`) || beginsWith(title, text) ? undefined : text
}

/** Whether a title is the value and, after a bracket, a colon or a dash, more about it: `A1 (12 m)`. */
function beginsWith(title: string, value: string): boolean {
  if (value.trim() === '' || !title.startsWith(value)) return false
  return /^(?:\s*[(:–—]|\s+-\s)/.test(title.slice(value.length))
}

function toInput(prompt: ValuePrompt): FieldInput {
  switch (prompt.kind) {
    case 'yes-no':
      return { kind: 'choice', choices: YES_OR_NO }
    case 'select':
      return { kind: 'choice', choices: prompt.choices }
    case 'multi-select':
      return { kind: 'choices', choices: prompt.choices }
    case 'text':
    case 'number':
    case 'lines':
      return prompt
  }
}

function toTyped(input: FieldInput, value: JsonValue): readonly string[] {
  switch (input.kind) {
    case 'choice':
    case 'choices': {
      const chosen: readonly JsonValue[] = Array.isArray(value) ? value : [value]
      return input.choices.flatMap((choice, index) =>
        chosen.includes(choice.value) ? [String(index)] : [],
      )
    }
    case 'text':
    case 'number':
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
    case 'lines':
      return Array.isArray(value) ? [value.map(String).join('\n')] : []
  }
}

/** Returns the answer that a draft means. Its fields are checked one by one; the answer as a whole is checked by `answerPendingQuestion`. */
export function readDraft(request: Pick<InputRequest, 'schema'>, draft: FormDraft): DraftResult {
  requireArguments('readDraft(request, draft)', [request, 'object'], [draft, 'object'])
  const { schema } = request
  const prompt = getPromptKind(schema)
  switch (prompt.kind) {
    case 'editor':
      return readJson(getText(draft.get('')))
    case 'form': {
      const values = new Map<string, JsonValue>()
      const problems: FieldProblem[] = []
      for (const field of prompt.fields) {
        const read = readField(field, field.schema, draft)
        if (!read.ok) problems.push(...read.problems)
        else if (read.value !== undefined) values.set(field.name, read.value)
        else if (field.required) values.set(field.name, null)
      }
      return problems.length > 0
        ? { ok: false, problems }
        : { ok: true, value: Object.fromEntries(values) }
    }
    case 'yes-no':
    case 'select':
    case 'multi-select':
    case 'text':
    case 'number':
    case 'lines': {
      const read = readField(toOnlyField(schema, prompt), schema, draft)
      return read.ok ? { ok: true, value: read.value ?? null } : read
    }
  }
}

function readJson(text: string): DraftResult {
  const value = text.trim() === '' ? undefined : parseJson(text)
  if (value !== undefined && isJsonValue(value)) return { ok: true, value }
  const message =
    text.trim() === '' ? 'type the answer as JSON' : 'this is not JSON; a text needs quotes'
  return { ok: false, problems: [{ field: '', message }] }
}

/** The value of a field; absent if it is omitted. */
type FieldResult =
  | { ok: true; value?: JsonValue }
  | { ok: false; problems: readonly FieldProblem[] }

function readField(field: FormField, schema: JsonSchema, draft: FormDraft): FieldResult {
  const { name, prompt } = field
  const isOptional = getNeed(field) === 'optional'
  const typed = draft.get(name) ?? []
  const refuse = (message: string): FieldResult => ({
    ok: false,
    problems: [{ field: name, message }],
  })
  if (isOptional && prompt.kind !== 'multi-select' && getText(typed) === '') return { ok: true }
  const read = readValue(toInput(prompt), typed)
  if (!read.ok) return refuse(read.problem)
  const problems = getProblems(read.value, schema)
  if (problems.length === 0) return { ok: true, value: read.value }
  if (isOptional && Array.isArray(read.value) && read.value.length === 0) return { ok: true }
  return refuse(problems.map((problem) => describeProblem(problem, read.value)).join('; '))
}

/** The value of an input, or what to type or choose instead. */
type ReadValue = { ok: true; value: JsonValue } | { ok: false; problem: string }

function readValue(input: FieldInput, typed: readonly string[]): ReadValue {
  switch (input.kind) {
    case 'choice': {
      const [chosen] = findChosen(input.choices, typed)
      return chosen ? { ok: true, value: chosen.value } : { ok: false, problem: 'choose one' }
    }
    case 'choices':
      return { ok: true, value: findChosen(input.choices, typed).map(({ value }) => value) }
    case 'text':
      return { ok: true, value: getText(typed) }
    case 'number':
      return readNumber(getText(typed), input.numbers)
    case 'lines':
      return { ok: true, value: readLines(getText(typed)) }
  }
}

/** Returns the chosen values in the order of the schema. */
function findChosen(choices: readonly Choice[], typed: readonly string[]): readonly Choice[] {
  return choices.filter((_, index) => typed.includes(String(index)))
}

function getText(typed: readonly string[] = []): string {
  return typed[0] ?? ''
}

/** Returns the lines of a text, without empty ones. */
export function readLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** A typed number, or what to type instead. */
type ReadNumber = { ok: true; value: number } | { ok: false; problem: string }

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const EXPECTED = {
  any: 'expected a number, for example 3 or 2.5',
  whole: 'expected a whole number, for example 3',
} as const

/** Parses a decimal number. A number that would lose precision is a problem. */
export function readNumber(text: string, numbers: keyof typeof EXPECTED): ReadNumber {
  const trimmed = text.trim()
  if (!DECIMAL.test(trimmed)) return { ok: false, problem: EXPECTED[numbers] }
  const value = Number(trimmed)
  if (numbers === 'whole' && !Number.isInteger(value))
    return { ok: false, problem: EXPECTED[numbers] }
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return { ok: false, problem: 'the number is too large to be stored exactly' }
  return { ok: true, value }
}

/** Describes a validation error of a value, with the invalid item of a list as it was typed. */
export function describeProblem({ path, message }: Problem, value: JsonValue): string {
  const item = /^\/(\d+)$/.exec(path)?.[1]
  if (!Array.isArray(value) || item === undefined) return message
  return `${JSON.stringify(value[Number(item)])}: ${message}`
}

/** Finds the field of each validation error of an answer, for example of those that `answerPendingQuestion` returns. */
export function locateProblems(
  form: QuestionForm,
  problems: readonly Problem[],
): readonly FieldProblem[] {
  requireArguments('locateProblems(form, problems)', [form, 'object'], [problems, 'array'])
  return problems.map(({ path, message }) => {
    if (form.kind !== 'object') return { field: '', message: `${path} ${message}`.trim() }
    const [name, ...rest] = splitPointer(path)
    const field = form.fields.find((each) => each.name === name)
    if (!field) return { message: `${path} ${message}`.trim() }
    const below = rest.map((step) => `/${step}`).join('')
    return { field: field.name, message: `${below} ${message}`.trim() }
  })
}
