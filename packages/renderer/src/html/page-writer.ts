import type { PartKind, ShownColumn, ShownPart } from '../show/shown-part.ts'
import type { TruncatedText } from '../show/truncate-text.ts'
import type { PageAttributes, PageChild } from './page-element.ts'
import type { PageText } from './safe-html.ts'

/** What HTML and React write differently. `Own`: what only one of them has. */
export interface PageWriter<Own> {
  /** Whether everything is shown at once, for a decision. */
  isWhole: boolean
  /** Whether bytes are in the page, or only named. */
  media: 'inline' | 'name'
  /** Lines of text that are shown in full. Longer text scrolls or folds. */
  maxTextLines: number
  /** The space before facts that are beside text. Absent: it is in the facts. */
  space?: PageText
  fold: PageAttributes
  figure: PageAttributes
  image: PageAttributes
  /** Returns what the host itself renders for a part. */
  findOwn(part: ShownPart): PageChild<Own>
  align(align: ShownColumn['align'] | undefined): PageAttributes
  /** Renders something that may be wider than the page. */
  renderWide(label: PageText, inner: PageChild<Own>): PageChild<Own>
  /** Renders a long text. */
  renderTall(label: PageText, inner: PageChild<Own>, text: TruncatedText): PageChild<Own>
  /** Renders code: its first lines, the number of omitted ones, and its last lines. */
  renderCode(label: PageText, lines: readonly PageChild[], text: TruncatedText): PageChild<Own>
  /** Renders a block of code in Markdown. */
  renderSample(code: Omit<PartKind<'code'>, 'kind'>): PageChild<Own>
  renderDiff(part: PartKind<'diff'>): PageChild<Own>
  renderTable(part: PartKind<'table'>): PageChild<Own>
  renderTree(tree: PageChild): PageChild<Own>
  renderEntries(part: PartKind<'entries'>): PageChild<Own>
  renderGroup(parts: PageChild<Own>, maxHeight: number | undefined): PageChild<Own>
}
