import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type ContentBlock,
  type InputRequest,
  isSecret,
  type JsonObject,
  type QuestionContext,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  formatNote,
  getOwnField,
  isJsonValue,
  nameInNote,
  parseJson,
} from '@toolblocks/protocol/internal'

/** The kinds of elicitation that a client supports. */
export interface ClientModes {
  form: boolean
  url: boolean
}

/** Returns the kinds of elicitation in a client's capabilities. An empty `elicitation` means forms. */
export function getModes(capabilities: unknown): ClientModes {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined
  if (!isJsonObject(elicitation)) return { form: false, url: false }
  const { form, url } = elicitation
  return { form: form !== undefined || url === undefined, url: url !== undefined }
}

/** A question as an MCP elicitation, and how its answer is read. */
export interface AskedElicitation {
  params: JsonObject
  form?: ElicitationForm
}

/** Returns the question as an MCP elicitation, or why the client cannot show it. */
export function toElicitation(
  request: InputRequest,
  context: QuestionContext,
  modes: ClientModes,
): AskedElicitation | Answer {
  const message = toMessage(request, context)
  const { url } = request
  if (url !== undefined)
    return modes.url
      ? { params: { mode: 'url', message, url, elicitationId: getElicitationId(context) } }
      : answerForNobody('the client cannot ask its user to visit a page')
  if (isSecret(request)) return answerForNobody('MCP does not let a form ask for a secret')
  if (!modes.form) return answerForNobody('the client cannot ask its user')
  const form = toForm(request)
  return { params: { mode: 'form', message, requestedSchema: form.schema }, form }
}

/** The id of the server that asks, which announces with it that the visit is complete. */
function getElicitationId({ source }: QuestionContext): string {
  return (source.kind === 'elicitation' ? source.elicitationId : undefined) ?? randomUUID()
}

function answerForNobody(message: string): Answer {
  return { action: 'cancel', reason: 'nobody', message }
}

/** Returns the answer to the question from an `ElicitResult`. */
export function readAnswer(
  { action, content }: JsonObject,
  form: ElicitationForm | undefined,
): Answer {
  switch (action) {
    case 'accept': {
      const value = form ? readForm(isJsonObject(content) ? content : {}, form) : true
      return isJsonValue(value) ? { action, value } : { action: 'cancel', reason: 'wrong-answer' }
    }
    case 'decline':
      return { action }
    default:
      return { action: 'cancel', reason: 'user' }
  }
}

/** An elicitation shows only one text: the blocks and the question in their order, then why the last answer was not accepted. */
function toMessage(
  { text }: InputRequest,
  { blocks, shown: shownCount = 0, after = [], problems = [] }: QuestionContext,
): string {
  const before = blocks.slice(shownCount).map(textOfBlock)
  const behind = after.map(textOfBlock)
  const wrong = problems.map(({ path, message }) => `${path === '' ? '' : `${path}: `}${message}`)
  return [...before, text, ...behind, ...wrong].filter((part) => part !== '').join('\n\n')
}

/** A form shows text only; for other blocks it shows their type. */
function textOfBlock(block: ContentBlock): string {
  const { type } = block
  if (block.type === 'text') return block.text
  if (block.type === 'question') return block.question.text
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`
  if (block.type === 'resource') {
    const { uri, text } = block.resource
    return text === undefined ? formatNote(nameInNote(uri)) : `${uri}\n${text}`
  }
  return formatNote('mimeType' in block ? `${type}, ${block.mimeType}` : type)
}

/** An MCP form, and how its content becomes the question's answer. */
interface ElicitationForm {
  schema: JsonObject
  /** `whole`: the content is the answer. `value`: its only field is. `text`: its only field contains the answer as JSON. */
  answer: 'whole' | 'value' | 'text'
}

const FIELD = 'value'

/** Returns a question as an MCP form: a flat object of simple fields. Other schemas are asked for as JSON. */
function toForm(request: InputRequest): ElicitationForm {
  const { schema, text } = request
  if (isJsonObject(schema) && isFlatForm(schema)) return { schema, answer: 'whole' }
  const hasDefault = 'default' in request
  if (isJsonObject(schema) && isSimple(schema))
    return {
      schema: withOneField({
        title: text,
        ...schema,
        ...(hasDefault && { default: request.default }),
      }),
      answer: 'value',
    }
  const described = `JSON that matches the schema ${JSON.stringify(schema)}`
  return {
    schema: withOneField({
      type: 'string',
      title: text,
      description: described,
      ...(hasDefault && { default: JSON.stringify(request.default) }),
    }),
    answer: 'text',
  }
}

/** Returns the answer to the question from the form's content. Text that is not JSON stays text, and does not match the schema. */
function readForm(content: JsonObject, { answer }: ElicitationForm): unknown {
  switch (answer) {
    case 'whole':
      return content
    case 'value':
      return getOwnField(content, FIELD)
    case 'text': {
      const text = getOwnField(content, FIELD)
      const value = typeof text === 'string' ? parseJson(text) : undefined
      return value === undefined ? text : value
    }
  }
}

function withOneField(property: JsonObject): JsonObject {
  return { type: 'object', properties: { [FIELD]: property }, required: [FIELD] }
}

function isFlatForm({ type, properties }: JsonObject): boolean {
  if (type !== 'object') return false
  return (
    isJsonObject(properties) &&
    Object.values(properties).every((property) => isJsonObject(property) && isSimple(property))
  )
}

const SIMPLE = new Set(['string', 'number', 'integer', 'boolean'])

/** Whether a field is text, a number, a boolean, a choice, or several choices. */
function isSimple({ type, items, ...keywords }: JsonObject): boolean {
  if ('$ref' in keywords || 'allOf' in keywords) return false
  if (typeof type === 'string' && SIMPLE.has(type)) return true
  if (type !== 'array' || !isJsonObject(items)) return false
  return items['type'] === 'string' || Array.isArray(items['anyOf'])
}
