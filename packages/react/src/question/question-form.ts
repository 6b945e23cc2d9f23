import {
  createQuestionForm,
  type FieldProblem,
  type FormDraft,
  locateProblems,
  type QuestionField,
  type QuestionForm as Form,
  readDraft,
} from '@toolblocks/inquiry/form'
import type { Answer, ContentBlock, InputRequest, Problem } from '@toolblocks/protocol'
import { canFillIn, renderLink, sanitizePageDecision } from '@toolblocks/renderer/internal/html'
import {
  createElement as h,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTakeOver } from '../result/hydration.ts'
import { toReact } from '../result/page-element.ts'
import { type ResultOptions, renderDecisionBlocks } from '../result/tool-result.ts'
import { discard, type DraftStorage, MEMORY, readStored, store } from './drafts.ts'
import { useElementId } from './element-id.ts'
import { readTyped, renderQuestionField } from './question-field.ts'
import { describeRefusal, isRefusal, type AnswerRefusal } from './refusal.ts'

/** What a person answers. */
export type FormAnswer = Exclude<Answer, { action: 'cancel' }>

/**
 * What became of an answer. Nothing: it was sent. Problems: it is invalid, and the form stays open and shows them. A refusal: it does not count, and
 * the form says why and is closed.
 */
type AnswerReply = void | readonly Problem[] | AnswerRefusal

/** The properties of `QuestionForm`. */
export interface QuestionFormProps extends Pick<ResultOptions, 'readers' | 'root'> {
  question: InputRequest
  /**
   * Receives the answer, of which each field is valid. It may return validation errors of the complete answer, for example those of the server; the
   * form then stays open and shows them. It may return why the answer does not count, for example because the question was answered elsewhere. If it
   * rejects, the form says that the answer was not sent, and it can be sent again.
   */
  onAnswer(answer: FormAnswer): AnswerReply | Promise<AnswerReply>
  /** What the tool showed before the question. It is shown completely. */
  before?: readonly ContentBlock[]
  /** What the tool showed after the question. */
  after?: readonly ContentBlock[]
  /** Where drafts are kept. Secrets never are. Default: in memory, until the page is closed. */
  drafts?: DraftStorage
  /** The key of the draft. It must be unique among all calls. Default: the id of the question, which is unique in its call only. */
  draftKey?: string
}

/** How the form stands. */
type Sending = 'ready' | 'sending' | 'sent' | 'failed' | AnswerRefusal

/**
 * The form for a question, for every schema. The answer is sent and declined by different buttons; Enter in a field sends it. With another
 * `draftKey`, it is a new form.
 */
export function QuestionForm(props: QuestionFormProps): ReactElement {
  const { draftKey = props.question.id } = props
  // What was typed for one question must not be sent as the answer to another one.
  return h(FormOfQuestion, { key: draftKey, ...props, draftKey })
}

function FormOfQuestion({
  question,
  onAnswer,
  before = [],
  after = [],
  drafts = MEMORY,
  draftKey,
  ...options
}: QuestionFormProps & { draftKey: string }): ReactElement {
  const form = useMemo(() => createQuestionForm(question), [question])
  const fields = useMemo(() => listFields(form, question), [form, question])
  const secrets = useMemo(
    () => new Set(fields.filter(({ isSecret }) => isSecret).map(({ name }) => name)),
    [fields],
  )
  const id = useElementId()
  const element = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<FormDraft>(() => createDraft(fields))
  const [problems, setProblems] = useState<readonly FieldProblem[]>()
  const [sending, setSending] = useState<Sending>('ready')

  // A server knows no drafts, so a stored one is read after the first rendering.
  useEffect(() => {
    const stored = readStored(drafts, draftKey)
    if (stored)
      setDraft((current) => new Map([...current, ...stored, ...findChanged(current, fields)]))
  }, [drafts, draftKey, fields])

  const [isReady, setReady] = useState(false)
  useTakeOver(() => {
    if (element.current) {
      const typed = readForm(element.current, fields, id)
      setDraft(new Map([...draft, ...findChanged(typed, fields)]))
    }
    setReady(true)
  })

  useEffect(() => {
    if (problems) findFirstInvalid(element.current)?.focus()
  }, [problems])

  const change = (name: string, typed: readonly string[]): void => {
    const changed = new Map(draft).set(name, typed)
    setDraft(changed)
    store(drafts, draftKey, changed, secrets)
  }

  const send = async (answer: FormAnswer): Promise<void> => {
    setSending('sending')
    try {
      const reply = await onAnswer(answer)
      if (Array.isArray(reply) && reply.length > 0) {
        setProblems(locateProblems(form, reply))
        setSending('ready')
        return
      }
      discard(drafts, draftKey)
      setSending(isRefusal(reply) ? reply : 'sent')
    } catch {
      setSending('failed')
    }
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isBusy) return
    const read = readDraft(question, draft)
    if (!read.ok) {
      setProblems([...read.problems])
      return
    }
    setProblems(undefined)
    void send({ action: 'accept', value: read.value })
  }

  const isBusy = sending !== 'ready' && sending !== 'failed'
  const whole = (problems ?? []).filter(({ field }) => field === undefined)
  const title = sanitizePageDecision(question.text.trim())
  return h(
    'form',
    {
      ref: element,
      className: 'tb tb-form',
      'aria-label': `Answer: ${title}`,
      'aria-busy': sending === 'sending',
      autoComplete: 'off',
      noValidate: true,
      onSubmit: submit,
    },
    before.length === 0 ? null : renderDecisionBlocks(before, options),
    form.kind === 'object' ? h('p', { className: 'tb-heading tb-asked' }, title) : null,
    renderAddress(question.url),
    problems ? renderSummary(whole) : null,
    fields.map((field, index) =>
      renderQuestionField(
        {
          ...field,
          key: createKey(id, index),
          problem: findProblem(problems, field.name),
          unshown: findUnshown(field),
        },
        { typed: draft.get(field.name) ?? [], isBusy, change },
      ),
    ),
    after.length === 0 ? null : renderDecisionBlocks(after, options),
    h(
      'p',
      { className: 'tb-actions' },
      h(
        'button',
        { type: 'submit', className: 'tb-main', disabled: isBusy || !isReady },
        'Send answer',
      ),
      h(
        'button',
        {
          type: 'button',
          disabled: isBusy || !isReady,
          onClick: () => void send({ action: 'decline' }),
        },
        'Decline to answer',
      ),
    ),
    h('p', { role: 'status', className: 'tb-status' }, describeSending(sending)),
  )
}

function describeSending(sending: Sending): string {
  return typeof sending === 'string' ? STATUS[sending] : describeRefusal(sending)
}

const STATUS = {
  ready: '',
  sending: 'Sending…',
  sent: 'Sent.',
  failed: 'The answer was not sent. Try again.',
} as const

/** The fields; for one value or JSON the only one, whose label is the text of the question. */
function listFields(form: Form, question: InputRequest): readonly QuestionField[] {
  const label = question.text.trim()
  switch (form.kind) {
    case 'object':
      return form.fields.map(explainLines)
    case 'value':
      return [explainLines({ ...form.field, label })]
    case 'json':
      return [
        {
          name: '',
          label,
          details: ['Type the answer as JSON, by this schema:', JSON.stringify(question.schema)],
          input: { kind: 'lines' },
          need: 'required',
          initial: form.initial === '' ? [] : [form.initial],
          ...(form.isSecret && { isSecret: true }),
        },
      ]
  }
}

function explainLines(field: QuestionField): QuestionField {
  if (field.input.kind !== 'lines') return field
  return { ...field, details: [...field.details, 'one per line'] }
}

function createDraft(fields: readonly QuestionField[]): FormDraft {
  return new Map(
    fields.map((field) => [field.name, findUnshown(field) === undefined ? field.initial : []]),
  )
}

function createKey(form: string, index: number): string {
  return `${form}f${index}`
}

/** Reads what is typed and chosen in the elements of the form. */
function readForm(form: HTMLFormElement, fields: readonly QuestionField[], id: string): FormDraft {
  return new Map(
    fields.map(({ name, input }, index) => [name, readTyped(form, createKey(id, index), input)]),
  )
}

/** Returns the fields that a person has changed. */
function findChanged(draft: FormDraft, fields: readonly QuestionField[]): FormDraft {
  const initial = createDraft(fields)
  return new Map(
    [...draft].filter(([name, typed]) => typed.join('\n') !== initial.get(name)?.join('\n')),
  )
}

/** Returns a default that is not filled in. */
function findUnshown({ input, initial }: QuestionField): string | undefined {
  const [text] = initial
  if (text === undefined || 'choices' in input) return undefined
  return canFillIn(text) ? undefined : text
}

function findProblem(
  problems: readonly FieldProblem[] | undefined,
  name: string,
): string | undefined {
  const fieldProblems = (problems ?? []).filter(({ field }) => field === name)
  return fieldProblems.length === 0
    ? undefined
    : fieldProblems.map(({ message }) => message).join('; ')
}

function findFirstInvalid(form: HTMLFormElement | null): HTMLElement | null | undefined {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  return invalid?.matches('fieldset') ? invalid.querySelector('input') : invalid
}

function renderAddress(url: string | undefined): ReactNode {
  if (url === undefined) return null
  return h('p', null, 'Answered at ', toReact(renderLink(url, sanitizePageDecision(url))))
}

function renderSummary(whole: readonly FieldProblem[]): ReactElement {
  return h(
    'div',
    { className: 'tb-failure', role: 'alert' },
    h('p', null, 'This is not a valid answer yet. Nothing was sent to the tool.'),
    whole.length === 0
      ? null
      : h(
          'ul',
          null,
          whole.map(({ message }, index) => h('li', { key: index }, sanitizePageDecision(message))),
        ),
  )
}
