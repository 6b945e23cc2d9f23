import { type FileEntry, type SafeHtml, sizeInWords } from '@toolblocks/protocol'
import { countOf } from '../../show/count-of.ts'
import type { CutText } from '../../show/cut-text.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import { pageDecision, pageLine, pageText } from '../page-text.ts'
import { encodeHtml, html, joinHtml, NOTHING } from '../safe-html.ts'
import { writeCode } from './write-code.ts'
import { heightClass, type HtmlContext, writeLeft, writeScrolled } from './write-context.ts'
import { writeDiff } from './write-diff.ts'
import { writeFacts, writeNamed } from './write-facts.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writeMedia } from './write-media.ts'
import { writeLink, writeTable } from './write-table.ts'
import { writeTree } from './write-tree.ts'

type PartOf<Kind extends ShownPart['kind']> = Extract<ShownPart, { kind: Kind }>

/** Writes a part for a page; everything in it is encoded here. */
export function writePart(part: ShownPart, context: HtmlContext): SafeHtml {
  switch (part.kind) {
    case 'heading':
      return html`<p class="tb-heading">${pageLine(part.text)}</p>`
    case 'facts':
      return writeFacts(part)
    case 'link':
      return writeNamed(writeLink(part.uri, pageLine(part.name)), part.facts)
    case 'text':
      return writeCut(part, 'tb-text')
    case 'code':
      return writeCode(part)
    case 'markdown':
      return html`<div class="tb-markdown">
        ${writeMarkdown(part.blocks)}${writeLeft(part.left, 'line')}
      </div>`
    case 'empty':
      return html`<p class="tb-left">(empty)</p>`
    case 'diff':
      return writeDiff(part, context)
    case 'table':
      return writeTable(part)
    case 'tree':
      return writeTree(part.top)
    case 'entries':
      return writeEntries(part)
    case 'media':
      return writeMedia(part, context)
    case 'question':
      return writeQuestion(part)
    case 'argument':
      return writeArgument(part)
    case 'notice':
      return html`<p class="tb-left">${pageLine(part.text)}</p>`
    case 'failure': {
      const retry = part.transient
        ? html` <span class="tb-facts">trying again may help</span>`
        : NOTHING
      return html`<p class="tb-failure">✗ ${pageLine(part.text)}${retry}</p>`
    }
    case 'cause':
      return html`<div class="tb-cause">
        <span class="tb-facts">caused by:</span> ${writeCut(part, 'tb-text')}
      </div>`
    case 'warning':
      return writeWarning(part)
    case 'stderr':
      return writeStderr(part)
    case 'left':
      return writeLeft(part.count, part.unit)
    case 'group': {
      const parts = joinHtml(part.parts.map((one) => writePart(one, context)))
      const height = heightClass(part.maxHeight)
      return height === ''
        ? html`<div class="tb-group">${parts}</div>`
        : writeScrolled(html`Value`, parts, height)
    }
    case 'fold': {
      const parts = joinHtml(part.parts.map((one) => writePart(one, context)))
      return html`<details class="tb-fold">
        <summary>${pageLine(part.summary)}</summary>
        ${parts}
      </details>`
    }
  }
}

function writeCut({ first, left, last }: CutText, name: string): SafeHtml {
  const end = last === '' ? NOTHING : html`<pre>${pageText(last)}</pre>`
  return html`<div class="${encodeHtml(name)}">
    <pre>${pageText(first)}</pre>
    ${writeLeft(left, 'line')}${end}
  </div>`
}

function writeEntries({ entries, left }: PartOf<'entries'>): SafeHtml {
  const rows = entries.map(
    ({ name, type, size, modified }) =>
      html`<tr>
        <td><code>${pageLine(name)}${signOf(type)}</code></td>
        <td class="tb-right">${encodeHtml(size === undefined ? '' : sizeInWords(size))}</td>
        <td>${pageLine(modified ?? '')}</td>
      </tr>`,
  )
  const head = html`<tr>
    <th scope="col">name</th>
    <th scope="col" class="tb-right" data-type="size">size</th>
    <th scope="col">modified</th>
  </tr>`
  const table = html`<table class="tb-table">
    <thead>
      ${head}
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
  return html`<tb-table
    >${writeScrolled(html`Entries`, table, html`tb-high-40`)}${writeLeft(left, 'entry')}</tb-table
  >`
}

function signOf(type: FileEntry['type']): SafeHtml {
  if (type === 'directory') return html`/`
  return type === 'symlink' ? html`@` : NOTHING
}

/** A person decides on it: nothing in it hides, and an address is never cut. */
function writeQuestion({ id, url, first, left, last }: PartOf<'question'>): SafeHtml {
  const end = last === '' ? NOTHING : html`<pre>${pageDecision(last)}</pre>`
  const address =
    url === undefined ? NOTHING : html`<p>answered at ${writeLink(url, pageDecision(url))}</p>`
  return html`<div class="tb-question">
    <p><strong>Question</strong> <span class="tb-facts">${pageLine(id)}</span></p>
    <pre>${pageDecision(first)}</pre>
    ${writeLeft(left, 'line')}${end}${address}
  </div>`
}

function writeArgument({ name, text }: PartOf<'argument'>): SafeHtml {
  const value = text.includes('\n')
    ? html`<pre>${pageDecision(text)}</pre>`
    : html`<code>${pageDecision(text)}</code>`
  return html`<div class="tb-argument">
    <span class="tb-key">${pageDecision(name)}</span>: ${value}
  </div>`
}

function writeWarning({ path, message, facts }: PartOf<'warning'>): SafeHtml {
  const known =
    facts.length === 0
      ? NOTHING
      : html` <span class="tb-facts">(${joinHtml(facts.map(pageLine), html`, `)})</span>`
  const place = path === '' ? NOTHING : html`<code>${pageLine(path)}</code> `
  return html`<p class="tb-warning">! ${place}${pageText(message)}${known}</p>`
}

function writeStderr({ lines, text }: PartOf<'stderr'>): SafeHtml {
  const count = encodeHtml(countOf(lines, 'line'))
  if (text === undefined) return html`<p class="tb-left">(${count} on standard error)</p>`
  return html`<details class="tb-fold">
    <summary>${count} on standard error</summary>
    ${writeCut(text, 'tb-text')}
  </details>`
}
