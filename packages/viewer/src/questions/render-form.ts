import {
  type Choice,
  type FieldProblem,
  findChoiceHint,
  type FormDraft,
  type QuestionField,
  type QuestionForm,
} from '@toolblocks/inquiry/form'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { SafeHtml } from '@toolblocks/protocol'
import {
  canFillIn,
  encodeHtml,
  encodePageDecision,
  joinHtml,
  markup,
} from '@toolblocks/renderer/internal/html'

/** What a person has sent, and why it is no answer yet. */
export interface SentDraft {
  draft: FormDraft
  problems: readonly FieldProblem[]
}

/** Returns the fields of a form by their names in a sent form. Names of properties come from tools, so positions are used. */
export function getInputNames(form: QuestionForm): readonly (readonly [string, string])[] {
  const names = form.kind === 'object' ? form.fields.map(({ name }) => name) : ['']
  return names.map((name, index) => [`f${index}`, name] as const)
}

/** Renders the form for an answer, with what was typed before. Declining is another form, so that Enter in a field never sends the other decision. */
export function renderForm(
  { id, request }: Pick<PendingQuestion, 'id' | 'request'>,
  form: QuestionForm,
  sent?: SentDraft,
): SafeHtml {
  const fields = form.kind === 'object' ? form.fields : [toOnlyField(form)]
  // With one field, the text of the question is its label.
  const label = request.text.trim()
  const first = fields.findIndex(({ name }) => findProblems(name, sent) !== undefined)
  const inputs = fields.map((field, index) =>
    renderField(
      {
        ...field,
        id: `f${index}`,
        label: form.kind === 'object' ? field.label : label,
        typed: sent?.draft.get(field.name),
        problem: findProblems(field.name, sent),
        focus: index === first ? markup` autofocus` : markup``,
      },
      form.kind,
    ),
  )
  const whole = (sent?.problems ?? []).filter(({ field }) => field === undefined)
  const remarks = whole.map(({ message }) => markup`<li>${encodePageDecision(message)}</li>`)
  const summary = sent
    ? markup`<div class="tb-failure" role="alert"><p>This is not a valid answer yet. Nothing was sent to the tool.</p>${remarks.length === 0 ? markup`` : markup`<ul>${remarks}</ul>`}</div>`
    : markup``
  return markup`<form class="tb-form" method="post" action="answer" autocomplete="off" novalidate aria-label="Answer"><input type="hidden" name="id" value="${encodeHtml(id)}"><input type="hidden" name="action" value="accept">${summary}${inputs}<p><button class="tb-main">Send answer</button></p></form><form class="tb-form tb-no" method="post" action="answer" aria-label="Decline"><input type="hidden" name="id" value="${encodeHtml(id)}"><input type="hidden" name="action" value="decline"><p><button>Decline to answer</button></p></form>`
}

/** Renders the forms that allow and deny a call. */
export function renderApproval({ id }: Pick<PendingQuestion, 'id'>): SafeHtml {
  const hidden = markup`<input type="hidden" name="id" value="${encodeHtml(id)}">`
  return markup`<form class="tb-form" method="post" action="answer" aria-label="Allow">${hidden}<input type="hidden" name="action" value="accept"><p><button class="tb-main">Allow this call</button></p></form><form class="tb-form tb-no" method="post" action="answer" autocomplete="off" aria-label="Deny">${hidden}<input type="hidden" name="action" value="decline"><p><label for="reason">Reason for a denial <span class="tb-facts">optional; the model reads it</span></label>${renderText(markup`id="reason" name="reason"`, '')}</p><p><button>Deny this call</button></p></form>`
}

function findProblems(name: string, sent: SentDraft | undefined): string | undefined {
  const fieldProblems = sent?.problems.filter(({ field }) => field === name) ?? []
  return fieldProblems.length === 0
    ? undefined
    : fieldProblems.map(({ message }) => message).join('; ')
}

/** A field in the page. */
interface PageField extends QuestionField {
  id: string
  /** What was typed before; absent: the default is filled in. */
  typed: readonly string[] | undefined
  problem: string | undefined
  /** `autofocus` for the first field with a problem. */
  focus: SafeHtml
}

function toOnlyField(form: Exclude<QuestionForm, { kind: 'object' }>): QuestionField {
  if (form.kind === 'value') return form.field
  const { initial } = form
  return {
    name: '',
    label: '',
    details: ['The answer as JSON. What it must be is below.'],
    input: { kind: 'lines' },
    need: 'required',
    initial: initial === '' ? [] : [initial],
  }
}

function renderField(field: PageField, kind: QuestionForm['kind']): SafeHtml {
  const { id, label, input, details, problem } = field
  const refused = findUnshown(field)
  const lines = [
    ...details.map((line) => markup`${encodePageDecision(line)}`),
    ...(input.kind === 'lines' && kind !== 'json' ? [markup`one per line`] : []),
    ...(refused === undefined
      ? []
      : [
          markup`The default is not filled in, because it cannot be shown unchanged: ${encodePageDecision(refused)}`,
        ]),
  ]
  const below = markup`<p id="${encodeHtml(id)}-details" class="tb-facts">${joinHtml(lines, markup`<br>`)}</p>`
  const wrong =
    problem === undefined
      ? markup``
      : markup`<p id="${encodeHtml(id)}-problem" class="tb-failure">${encodePageDecision(problem)}</p>`
  const described = [
    ...(lines.length > 0 ? [markup`${encodeHtml(id)}-details`] : []),
    ...(problem === undefined ? [] : [markup`${encodeHtml(id)}-problem`]),
  ]
  const about =
    described.length === 0
      ? markup``
      : markup` aria-describedby="${joinHtml(described, markup` `)}"`
  const state = problem === undefined ? about : markup`${about} aria-invalid="true"`
  const notes = lines.length === 0 ? wrong : markup`${below}${wrong}`
  const name = markup`${encodePageDecision(label)}`
  if (input.kind === 'choices' || (input.kind === 'choice' && input.choices.length <= MAX_RADIOS))
    return markup`<fieldset class="tb-field"${about}><legend>${name}</legend>${notes}${renderChoices(field, input)}</fieldset>`
  return markup`<div class="tb-field"><label for="${encodeHtml(id)}">${name}</label>${notes}${renderInput(field, state)}</div>`
}

/** Values that are shown below each other. More values are in a list that opens. */
const MAX_RADIOS = 20

function renderChoices(
  field: PageField,
  { kind, choices }: Extract<QuestionField['input'], { kind: 'choice' | 'choices' }>,
): SafeHtml {
  const { id, need, focus } = field
  const chosen = field.typed ?? field.initial
  const type = kind === 'choice' ? markup`radio` : markup`checkbox`
  const items = choices.map((choice, index) => {
    const checked = chosen.includes(String(index)) ? markup` checked` : markup``
    const here = index === 0 ? focus : markup``
    return markup`<label class="tb-option"><input type="${type}" name="${encodeHtml(id)}" value="${index}"${checked}${here}> <span>${renderChoice(choice)}</span></label>`
  })
  const omitted = chosen.length === 0 || chosen.includes('') ? markup` checked` : markup``
  const none =
    kind === 'choice' && need === 'optional'
      ? markup`<label class="tb-option"><input type="radio" name="${encodeHtml(id)}" value=""${omitted}> <span class="tb-facts">(omit)</span></label>`
      : markup``
  return markup`${none}${items}`
}

function renderChoice(choice: Choice): SafeHtml {
  const name = encodePageDecision(choice.title)
  const hint = findChoiceHint(choice)
  return hint === undefined ? name : markup`${name} <code>${encodePageDecision(hint)}</code>`
}

function renderInput(field: PageField, state: SafeHtml): SafeHtml {
  const { id, input, need, focus, typed, initial } = field
  const attributes = markup`id="${encodeHtml(id)}" name="${encodeHtml(id)}"${state}${focus}`
  const [value = ''] = typed ?? (findUnshown(field) === undefined ? initial : [])
  switch (input.kind) {
    case 'choice':
    case 'choices': {
      const options = input.choices.map((choice, index) => {
        const selected = value === String(index) ? markup` selected` : markup``
        return markup`<option value="${index}"${selected}>${encodePageDecision(getOptionText(choice))}</option>`
      })
      const none = need === 'optional' ? markup`(omit)` : markup`Choose one`
      return markup`<select ${attributes}><option value="">${none}</option>${options}</select>`
    }
    case 'number':
      return markup`<input type="text" inputmode="decimal" ${attributes} value="${encodeHtml(value)}">`
    case 'text':
      // An input drops the line ends of a pasted text.
      return input.lines === 'several' || value.includes('\n')
        ? renderText(attributes, value)
        : markup`<input type="text" ${attributes} value="${encodeHtml(value)}">`
    case 'lines':
      return markup`<textarea ${attributes} rows="6" spellcheck="false">\n${encodeHtml(value)}</textarea>`
  }
}

function getOptionText(choice: Choice): string {
  const hint = findChoiceHint(choice)
  return hint === undefined ? choice.title : `${choice.title} (${hint})`
}

/** Maximum rows of a text at first; a taller one scrolls. */
const MAX_ROWS = 12

/** Renders a text that grows with its lines. The script of the page sends it at Enter. A browser drops the first line end of the text. */
function renderText(attributes: SafeHtml, text: string): SafeHtml {
  const rows = Math.min(text.split('\n').length, MAX_ROWS)
  return markup`<textarea class="tb-typed" ${attributes} rows="${rows}" spellcheck="false">\n${encodeHtml(text)}</textarea>`
}

/** Returns a default that is not filled in. */
function findUnshown({ input, typed, initial }: PageField): string | undefined {
  const [text] = initial
  if (typed !== undefined || text === undefined || 'choices' in input) return undefined
  return canFillIn(text) ? undefined : text
}
