// Sections of docs/performance.md that other tools write.

/** The heading of the section of `load-service`. */
export const LOAD = 'Many clients of a service'

/** The heading of the section with the results of `measure-view`. */
const VIEW = 'Large files in `view`'

/** The headings of the sections that other tools write. */
const OF_OTHERS = [VIEW, LOAD]

/** Returns a section of a page with its heading; empty if the page has no such section. */
function findSection(page, title) {
  const start = page.indexOf(`## ${title}\n`)
  if (start === -1) return ''
  const next = page.indexOf('\n## ', start)
  return page.slice(start, next === -1 ? page.length : next)
}

/** Returns the page with a section in the place of the earlier one with the same heading, or at its end. */
export function replaceSection(page, title, section) {
  const earlier = findSection(page, title)
  return earlier === '' ? `${page.trimEnd()}\n\n${section}` : page.replace(earlier, () => section)
}

/** Returns a new page with the sections of other tools of the page before. */
export function keepSections(page, before) {
  return OF_OTHERS.reduce((kept, title) => {
    const section = findSection(before, title)
    return section === '' ? kept : replaceSection(kept, title, section)
  }, page)
}
