import type { Approval, ContentBlock, ToolCall } from '@toolblocks/protocol'
import { showArguments } from '@toolblocks/renderer/internal'
import { sanitizePageDecision } from '@toolblocks/renderer/internal/html'
import {
  createElement as h,
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  useRef,
  useState,
} from 'react'
import { useTakeOver } from '../result/hydration.ts'
import { renderParts } from '../result/render-part.ts'
import { WHOLE, type ResultOptions, renderDecisionBlocks } from '../result/tool-result.ts'
import { useElementId } from './element-id.ts'
import { renderText } from './question-field.ts'
import { describeRefusal, isRefusal, type AnswerRefusal } from './refusal.ts'

/** What a person decides about a call: `decision`, and the reason of a denial. */
export type Decision = Extract<Approval, { decision: 'allowed' | 'denied' }>

/** The properties of `ApprovalCard`. */
export interface ApprovalCardProps extends Pick<ResultOptions, 'readers' | 'root'> {
  /** The call to decide about. */
  call: Pick<ToolCall, 'name' | 'arguments'>
  /** How the tool itself shows what the call would do. It is untrusted, and is shown beside the arguments, never instead of them. */
  material?: readonly ContentBlock[]
  /** Why the host asks. */
  reason?: string
  /**
   * Receives the decision, once. It may return why the decision does not count, which the card then says. If it rejects, the card says that it was not
   * sent, and the person can decide again.
   */
  onDecide(decision: Decision): void | AnswerRefusal | Promise<void | AnswerRefusal>
}

type Deciding = 'open' | 'sending' | 'sent' | 'failed' | AnswerRefusal

/**
 * Asks whether a call may run. Every argument is shown completely. No button has the focus at first, a key that is held down allows nothing, and
 * Enter in the reason denies.
 */
export function ApprovalCard({
  call,
  material = [],
  reason,
  onDecide,
  ...options
}: ApprovalCardProps): ReactElement {
  const id = useElementId()
  const [comment, setComment] = useState('')
  const [deciding, setDeciding] = useState<Deciding>('open')
  const isBusy = deciding !== 'open' && deciding !== 'failed'
  const input = useRef<HTMLTextAreaElement>(null)
  const [isReady, setReady] = useState(false)
  useTakeOver(() => {
    setComment(input.current?.value ?? '')
    setReady(true)
  })

  const decide = async (decision: Decision): Promise<void> => {
    if (isBusy) return
    setDeciding('sending')
    try {
      const reply = await onDecide(decision)
      setDeciding(isRefusal(reply) ? reply : 'sent')
    } catch {
      setDeciding('failed')
    }
  }
  const deny = (event: FormEvent): void => {
    event.preventDefault()
    const typedReason = comment.trim()
    void decide({ decision: 'denied', ...(typedReason !== '' && { reason: typedReason }) })
  }

  return h(
    'div',
    { role: 'group', className: 'tb tb-approval', 'aria-labelledby': `${id}-title` },
    h(
      'p',
      { id: `${id}-title`, className: 'tb-heading' },
      `Run ${sanitizePageDecision(call.name)}?`,
    ),
    reason === undefined ? null : h('p', { className: 'tb-details' }, sanitizePageDecision(reason)),
    renderParts(showArguments(call.arguments), WHOLE),
    material.length === 0
      ? null
      : h(
          'div',
          { className: 'tb-material' },
          h('p', { className: 'tb-facts' }, 'What it would do, as the tool shows it:'),
          renderDecisionBlocks(material, options),
        ),
    h(
      'form',
      { className: 'tb-actions', autoComplete: 'off', onSubmit: deny },
      h(
        'button',
        {
          type: 'button',
          className: 'tb-main',
          disabled: isBusy || !isReady,
          onKeyDown: ignoreRepeated,
          onClick: () => void decide({ decision: 'allowed' }),
        },
        'Allow this call',
      ),
      h(
        'label',
        null,
        h(
          'span',
          null,
          'Reason for a denial ',
          h('span', { className: 'tb-facts' }, '(optional; the model reads it)'),
        ),
        renderText(comment, {
          ref: input,
          value: comment,
          disabled: isBusy,
          onChange: ({ target }) => setComment(target.value),
        }),
      ),
      h('button', { type: 'submit', disabled: isBusy || !isReady }, 'Deny this call'),
    ),
    h('p', { role: 'status', className: 'tb-status' }, describeDeciding(deciding)),
  )
}

function describeDeciding(deciding: Deciding): string {
  return typeof deciding === 'string' ? STATUS[deciding] : describeRefusal(deciding)
}

const STATUS = {
  open: '',
  sending: 'Sending…',
  sent: 'Sent.',
  failed: 'The decision was not sent. Try again.',
} as const

/** A key that is held down must not press the next button that appears. */
function ignoreRepeated(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}
