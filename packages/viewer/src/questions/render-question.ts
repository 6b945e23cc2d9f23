import type { QuestionForm } from '@toolblocks/inquiry/form'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { type SafeHtml, type ContentBlock } from '@toolblocks/protocol'
import {
  encodeHtml,
  encodePageDecision,
  encodePageLine,
  joinHtml,
  markup,
  renderHtmlArguments,
  renderHtmlBlocks,
} from '@toolblocks/renderer/internal/html'
import { getPageAddress } from '../pages/render-pages.ts'
import { formatMinute } from '../reading/describe-facts.ts'
import {
  describeAsked,
  describeClient,
  describeLocal,
  describeSettlement,
  describeTimes,
} from '../reading/describe-pending.ts'
import type { CardOptions } from '../timeline/card-frame.ts'
import { renderApproval, renderForm, type SentDraft } from './render-form.ts'

/** Returns the relative address of the page of a question. */
export function getQuestionAddress(id: string): string {
  return `question?${new URLSearchParams({ id }).toString()}`
}

/** A question, and the conversation of the person in which it was asked. */
export interface PlacedQuestion {
  question: PendingQuestion
  /** The id of the conversation to resume after the answer. */
  resume: string
  /** The title of this conversation, or its short id. */
  title: string
}

/** Renders a list of questions, each with a link to its page. */
export function renderQuestionItems(
  questions: readonly PlacedQuestion[],
  { now, describeHost }: { now: Date; describeHost: (host: string) => string },
): SafeHtml {
  const rows = questions.map(({ question, title }) => {
    const facts = [question.id, title, ...describeTimes(question, now)].map(
      (fact) => markup`<span>${encodePageLine(fact)}</span>`,
    )
    const ended =
      question.state === 'open'
        ? markup``
        : markup`<p>${encodePageLine(describeSettlement(question, describeHost))}</p>`
    return markup`<li><a href="${encodeHtml(getQuestionAddress(question.id))}">${encodePageLine(describeAsked(question))}</a>${ended}<p class="tb-facts">${joinHtml(facts, markup` · `)}</p></li>`
  })
  return rows.length === 0
    ? markup`<p class="tb-left">Nothing waits.</p>`
    : markup`<ul class="tb-list">${rows}</ul>`
}

/** Renders the page of all questions. A script updates the list. */
export function renderQuestions(
  list: SafeHtml,
  {
    which,
    unreadable,
    name,
  }: { which: 'open' | 'all'; unreadable: readonly string[]; name: string },
): SafeHtml {
  const [address, other, change] =
    which === 'open'
      ? [markup`questions?part`, markup`questions?all`, markup`Also those that were settled`]
      : [markup`questions?all&amp;part`, markup`questions`, markup`Only those that wait`]
  const lost =
    unreadable.length === 0
      ? markup``
      : markup`<p class="tb-warning">Cannot be read: ${encodePageLine(unreadable.join(', '))}</p>`
  return markup`<div class="tb-page"><h1>Questions</h1><p class="tb-facts">${encodePageLine(name)} · the oldest first · <a href="${other}">${change}</a></p>${lost}<div data-part="${address}" aria-live="polite">${list}</div></div>`
}

/** What the page of a question shows besides the question. */
export interface QuestionPage extends PlacedQuestion {
  options: CardOptions
  /** How it stands, for example what happens next. */
  state: SafeHtml
  /** Whether several people read the pages, and others may answer if there is no form. */
  isForOthers?: boolean
  /** The form for an answer. Absent: the person who reads it cannot answer. */
  form?: { fields: QuestionForm; sent?: SentDraft }
}

/** Renders everything that an answer depends on, with nothing cut, folded or hidden, and below it the form for the answer. */
export function renderQuestion(page: QuestionPage): SafeHtml {
  const { question, options, state } = page
  const { id, kind, call, request, blocks, after = [] } = question
  const isOpen = question.state === 'open' && !question.isLocal
  const text: ContentBlock = { type: 'question', question: { ...request, id: '' } }
  const asked: readonly ContentBlock[] =
    kind === 'approval' ? blocks : [...blocks, ...(isLabel(page) ? [] : [text]), ...after]
  const blocksHtml =
    asked.length === 0
      ? markup``
      : renderHtmlBlocks(asked, {
          ...options,
          maxLines: Infinity,
          hiddenValues: 'show',
          stderr: 'show',
          collapsedValues: 'open',
          tallText: 'whole',
        })
  const heading =
    kind === 'approval'
      ? markup`Run ${encodePageDecision(call.name)}?`
      : markup`${encodePageDecision(call.name)} asks`
  const material = kind === 'approval' ? markup`What it would do` : markup`What it asks`
  const values =
    Object.keys(call.arguments).length === 0
      ? markup`<p class="tb-left">no arguments</p>`
      : renderHtmlArguments(call.arguments)
  const materialHtml = blocksHtml === '' ? markup`` : markup`<h2>${material}</h2>${blocksHtml}`
  // Other forms show the limits of the schema at their fields.
  const needsSchema = kind === 'question' && isOpen && page.form?.fields.kind === 'json'
  const schema = needsSchema
    ? markup`<h2>What the JSON must be</h2><pre class="tb-schema">${encodePageDecision(JSON.stringify(request.schema, null, 2))}</pre>`
    : markup``
  const address = encodeHtml(`${getQuestionAddress(id)}&part`)
  return markup`<div class="tb-page tb-decision"><h1>${heading}</h1><div data-part="${address}" data-id="${encodeHtml(id)}" role="status">${state}</div>${renderOrigin(question)}<h2>The call</h2><p><code>${encodePageDecision(call.name)}</code></p>${values}${materialHtml}${renderAnswering(page)}${schema}${renderPlace(page)}</div>`
}

/** Whether the text of the question is the label of the only field of its form, one line long. */
function isLabel({ question, form }: QuestionPage): boolean {
  const isAnswerable = question.state === 'open' && !question.isLocal
  const isLast = (question.after ?? []).length === 0
  if (!isAnswerable || !isLast || !form || form.fields.kind === 'object') return false
  const text = question.request.text.trim()
  return text !== '' && !/[\r\n]/.test(text)
}

/** Renders for whom the tool asks. An answer may depend on it. */
function renderOrigin({ agents = [], server, client }: PendingQuestion): SafeHtml {
  return renderFacts([
    ...(agents.length === 0
      ? []
      : [[markup`Agents`, encodePageDecision(agents.join(' → '))] as const]),
    ...(server === undefined ? [] : [[markup`Server`, encodePageDecision(server)] as const]),
    ...(client
      ? [
          [
            markup`Client`,
            markup`${encodePageDecision(describeClient(client))} <span class="tb-facts">as it names itself</span>`,
          ] as const,
        ]
      : []),
  ])
}

/** Renders where and when the question was asked. */
function renderPlace({ question, resume, title, options }: QuestionPage): SafeHtml {
  const { id, host, turn, askedAt, expiresAt } = question
  const { describeHost = (name) => name } = options
  const link = markup`<a href="${encodeHtml(getPageAddress(resume))}">${encodePageDecision(title)}</a>`
  const facts = renderFacts([
    [markup`Id`, markup`<code>${encodePageDecision(id)}</code>`],
    [markup`Conversation`, markup`${link}, turn ${turn}`],
    [
      markup`Asked`,
      markup`${encodeHtml(formatMinute(askedAt))} UTC by ${encodePageDecision(describeHost(host))}`,
    ],
    [
      markup`Deadline`,
      expiresAt === undefined
        ? markup`It does not expire.`
        : markup`${encodeHtml(formatMinute(expiresAt))} UTC`,
    ],
  ])
  const heading = question.kind === 'approval' ? markup`This approval` : markup`This question`
  return markup`<h2>${heading}</h2>${facts}`
}

function renderFacts(facts: readonly (readonly [SafeHtml, SafeHtml])[]): SafeHtml {
  if (facts.length === 0) return markup``
  const rows = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return markup`<dl class="tb-place-of">${rows}</dl>`
}

function renderAnswering({ question, resume, form, isForOthers }: QuestionPage): SafeHtml {
  const { id, state, kind, isLocal } = question
  if (state !== 'open') return markup``
  const head = kind === 'approval' ? markup`<h2>Your decision</h2>` : markup`<h2>Your answer</h2>`
  if (isLocal)
    return markup`${head}<p>This is ${encodePageDecision(describeLocal(question, { resume }))}</p>`
  if (!form && isForOthers) return markup`${head}<p>You may not answer this question.</p>`
  if (!form)
    return markup`${head}<p>These pages are read-only. Answer with <code>toolblocks questions answer ${encodePageDecision(id)}</code>, or start <code>toolblocks view --answer</code>.</p>`
  const fields =
    kind === 'approval' ? renderApproval(question) : renderForm(question, form.fields, form.sent)
  return markup`${head}${fields}`
}

/** Renders how a question stands. `lost`: an answer of this person does not count. `next`: what happens after an answer. */
export function renderState(
  question: PendingQuestion,
  {
    now,
    next,
    lost = false,
    describeHost = (host) => host,
  }: { now: Date; next?: string | undefined; lost?: boolean } & Pick<CardOptions, 'describeHost'>,
): SafeHtml {
  const { state } = question
  const status =
    state === 'open'
      ? markup`<strong>It waits.</strong> <span class="tb-facts">${encodePageLine(describeTimes(question, now).join(' · '))}</span>`
      : markup`<strong>${encodePageDecision(describeSettlement(question, describeHost))}</strong>`
  const late = lost ? markup`<p class="tb-failure">Your answer does not count.</p>` : markup``
  const then = next === undefined ? markup`` : markup`<p>${encodePageDecision(next)}</p>`
  return markup`<div class="tb-state tb-is-${encodeHtml(state)}" data-state="${encodeHtml(state)}">${late}<p>${status}</p>${then}</div>`
}
