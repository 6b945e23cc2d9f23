import type { DeliveryEvent } from '@toolblocks/conversation-store'
import type { Delivery, SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup, joinHtml, pageLine, pageText } from '@toolblocks/renderer/html'
import { tokensInWords, tokensOf } from '../../model/tokens.ts'

/** What a model was given of a result: its size, what of it was left out because it had it already or there was no room, and the text. */
export function writeDelivery({ text, wholeLength, deliveries }: DeliveryEvent): SafeHtml {
  const marks = deliveries.filter(({ form }) => form !== 'full').map(writeMark)
  const list = marks.length === 0 ? markup`` : markup`<ul class="tb-marks">${joinHtml(marks)}</ul>`
  if (text === undefined) return markup`<aside class="tb-model">${list}</aside>`
  const tokens = tokensOf(text.length)
  const saved = tokensOf(wholeLength ?? text.length) - tokens
  const less = saved > 0 ? markup`, ${encodeHtml(saved.toLocaleString('en'))} saved` : markup``
  return writeText(
    {
      heading: markup`What the model received`,
      facts: markup`about ${count(tokens)}${less}`,
    },
    list,
    text,
  )
}

/** What a model would be given of a result, where nothing tells what it was. */
export function writeExpected(text: string): SafeHtml {
  const facts = markup`it is not recorded what it did · about ${count(tokensOf(text.length))}`
  return writeText({ heading: markup`What a model would receive`, facts }, markup``, text)
}

function writeText(
  { heading, facts }: { heading: SafeHtml; facts: SafeHtml },
  list: SafeHtml,
  text: string,
): SafeHtml {
  return markup`<aside class="tb-model" aria-label="${heading}"><p class="tb-heading">${heading} <span class="tb-facts">${facts}</span></p>${list}<div class="tb-scroll tb-high-40" role="region" aria-label="Text for the model" tabindex="0"><pre>${pageText(text)}</pre></div></aside>`
}

const FORMS: Readonly<Record<Delivery['form'], string>> = {
  full: 'given in full',
  cut: 'cut',
  reference: 'deduplicated: given before',
}

function writeMark({ form, uri, block }: Delivery): SafeHtml {
  return markup`<li><span class="tb-mark tb-mark-${encodeHtml(form)}">${encodeHtml(FORMS[form])}</span> block ${block}: ${pageLine(uri)}</li>`
}

function count(tokens: number): SafeHtml {
  return encodeHtml(tokensInWords(tokens))
}
