import { splitAtWords } from '../src/reading/split-at-words.ts'

/** Marks words in the texts of an element. */
export function markWords(root: Node, terms: ReadonlySet<string>): void {
  if (terms.size === 0) return
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && !node.parentElement?.closest('mark,button,.tb-meta'))
      texts.push(node)
  for (const node of texts) {
    const parts = splitAtWords(node.data, terms)
    if (!parts.some(({ isWord }) => isWord)) continue
    node.replaceWith(
      ...parts.map(({ text, isWord }) => {
        if (!isWord) return text
        const mark = document.createElement('mark')
        mark.textContent = text
        return mark
      }),
    )
  }
}

/** Opens what hides the first marked word in an element. Returns it. */
export function showMark(root: Element): HTMLElement | undefined {
  const marks = [...root.querySelectorAll('mark')]
  const mark = marks.find((each) => each.checkVisibility()) ?? marks[0]
  for (let fold = mark?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true
  return mark
}
