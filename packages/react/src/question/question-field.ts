import {
  type Choice,
  type FieldInput,
  findChoiceHint,
  type QuestionField,
} from '@toolblocks/inquiry/form'
import { pageText, sanitizePageDecision } from '@toolblocks/renderer/internal/html'
import {
  type ChangeEvent,
  createElement as h,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { pressEnter } from './press-enter.ts'

/** A field with its problem. `key`: an id that is unique in the page. */
export interface EditedField extends QuestionField {
  key: string
  problem: string | undefined
  /** A default that is not filled in, because it cannot be shown unchanged. */
  unshown: string | undefined
}

interface TypedField {
  typed: readonly string[]
  isBusy: boolean
  change(name: string, typed: readonly string[]): void
}

/** A field with its label, details and problem, which are tied to its input. */
export function renderQuestionField(field: EditedField, typing: TypedField): ReactElement {
  const { key, name: fieldName, label, details, input, problem, unshown } = field
  const lines = details.map((detail) => sanitizePageDecision(detail))
  if (unshown !== undefined)
    lines.push(
      pageText`The default is not filled in, because it cannot be shown unchanged: ${sanitizePageDecision(unshown)}`,
    )
  const described = [
    ...(lines.length > 0 ? [`${key}-details`] : []),
    ...(problem === undefined ? [] : [`${key}-problem`]),
  ]
  const state = {
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(problem !== undefined && { 'aria-invalid': true }),
  }
  const about = [
    lines.length === 0
      ? null
      : h(
          'p',
          { key: 'details', id: `${key}-details`, className: 'tb-facts tb-details' },
          lines.join('\n'),
        ),
    problem === undefined
      ? null
      : h(
          'p',
          { key: 'problem', id: `${key}-problem`, className: 'tb-failure' },
          sanitizePageDecision(problem),
        ),
  ]
  const name = sanitizePageDecision(label)
  if (hasOptions(input))
    return h(
      'fieldset',
      { key: fieldName, className: 'tb-field', ...state },
      h('legend', null, name),
      about,
      renderOptions(field, input, typing),
    )
  return h(
    'div',
    // The id changes once. The element, and its focus, must stay.
    { key: fieldName, className: 'tb-field' },
    h('label', { htmlFor: key }, name),
    about,
    renderInput(field, typing, state),
  )
}

/** Values that are shown below each other. More values are in a list that opens. */
const MAX_RADIOS = 20

type ChoiceInput = Extract<FieldInput, { kind: 'choice' | 'choices' }>

function hasOptions(input: FieldInput): input is ChoiceInput {
  return input.kind === 'choices' || (input.kind === 'choice' && input.choices.length <= MAX_RADIOS)
}

function renderOptions(
  { key, name, need }: EditedField,
  { kind, choices }: ChoiceInput,
  { typed, isBusy, change }: TypedField,
): ReactNode {
  const type = kind === 'choice' ? 'radio' : 'checkbox'
  const option = (value: string, isChosen: boolean, text: ReactNode): ReactElement =>
    h(
      'label',
      { key: value, className: 'tb-option' },
      h('input', {
        type,
        name: key,
        value,
        checked: isChosen,
        disabled: isBusy,
        onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
          change(name, choose(kind, typed, { value, isChosen: target.checked })),
      }),
      ' ',
      text,
    )
  const omitted = h('span', { className: 'tb-facts' }, '(omit)')
  return [
    kind === 'choice' && need === 'optional'
      ? option('', typed.length === 0 || typed.includes(''), omitted)
      : null,
    ...choices.map((choice, index) =>
      option(String(index), typed.includes(String(index)), renderChoice(choice)),
    ),
  ]
}

/** Reads what is typed or chosen in the elements of a field. `key`: that of the field. */
export function readTyped(
  form: HTMLFormElement,
  key: string,
  input: FieldInput,
): readonly string[] {
  if (hasOptions(input))
    return [...form.querySelectorAll('input')]
      .filter(({ name, checked, value }) => name === key && checked && value !== '')
      .map(({ value }) => value)
  const element = form.elements.namedItem(key)
  return element && 'value' in element ? [element.value] : []
}

function choose(
  kind: ChoiceInput['kind'],
  typed: readonly string[],
  { value, isChosen }: { value: string; isChosen: boolean },
): readonly string[] {
  if (kind === 'choice') return value === '' ? [] : [value]
  const others = typed.filter((each) => each !== value)
  return isChosen ? [...others, value] : others
}

function renderChoice(choice: Choice): ReactElement {
  const hint = findChoiceHint(choice)
  return h(
    'span',
    null,
    sanitizePageDecision(choice.title),
    hint === undefined ? null : ' ',
    hint === undefined ? null : h('code', null, sanitizePageDecision(hint)),
  )
}

function renderInput(
  { key, name, input, need, isSecret = false }: EditedField,
  { typed: [value = ''], isBusy, change }: TypedField,
  state: object,
): ReactElement {
  const attributes = {
    id: key,
    value,
    disabled: isBusy,
    onChange: ({ target }: ChangeEvent<{ value: string }>) => change(name, [target.value]),
    ...state,
    ...(need === 'required' && { 'aria-required': true }),
  }
  switch (input.kind) {
    case 'choice':
    case 'choices': {
      const options = input.choices.map((choice, index) =>
        h('option', { key: index, value: index }, sanitizePageDecision(getOptionText(choice))),
      )
      const none = need === 'optional' ? '(omit)' : 'Choose one'
      return h('select', attributes, h('option', { value: '' }, none), options)
    }
    case 'number':
      return h('input', { type: 'text', inputMode: 'decimal', ...attributes })
    case 'text':
      // A browser must not offer to keep it for this page.
      if (isSecret)
        return h('input', { type: 'password', autoComplete: 'new-password', ...attributes })
      // An input drops the line ends of a pasted text.
      return input.lines === 'several' || value.includes('\n')
        ? renderText(value, attributes)
        : h('input', { type: 'text', ...attributes })
    case 'lines':
      return h('textarea', {
        rows: 6,
        spellCheck: false,
        ...attributes,
        ...(isSecret && { className: 'tb-masked' }),
      })
  }
}

/** Maximum rows of a text; a taller one scrolls. */
const MAX_ROWS = 12

/** A text that grows with its lines. */
export function renderText(
  text: string,
  attributes: TextareaHTMLAttributes<HTMLTextAreaElement> & RefAttributes<HTMLTextAreaElement>,
): ReactElement {
  return h('textarea', {
    className: 'tb-typed',
    rows: Math.min(text.split('\n').length, MAX_ROWS),
    spellCheck: false,
    onKeyDown: pressEnter,
    ...attributes,
  })
}

function getOptionText(choice: Choice): string {
  const hint = findChoiceHint(choice)
  return hint === undefined ? choice.title : `${choice.title} (${hint})`
}
