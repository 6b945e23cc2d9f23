// Finds links of the built pages that lead nowhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BASE, DIST, findFile } from './serve-site.mjs'

const ORIGIN = 'http://site.invalid'

/** Returns a line for each link, picture, script or style of a page whose file or heading does not exist. */
export function findBrokenLinks() {
  const pages = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => join(DIST, file))
  const texts = new Map(pages.map((file) => [file, readFileSync(file, 'utf8')]))
  const ids = new Map([...texts].map(([file, text]) => [file, readIds(text)]))
  const broken = pages.flatMap((file) => {
    const name = relative(DIST, file).replaceAll('\\', '/')
    // Every address that does not exist shows this page, so a relative link in it has no place to start from.
    const page = new URL(BASE + name.replace(/index\.html$/, ''), ORIGIN)
    return readLinks(texts.get(file)).flatMap((link) => {
      const target = new URL(link, page)
      if (target.origin !== ORIGIN) return []
      const found = findFile(target.pathname)
      if (found === undefined) return [`${name}: ${link} leads to no page`]
      const id = decodeURIComponent(target.hash.slice(1))
      if (id === '' || !ids.has(found) || ids.get(found).has(id)) return []
      return [`${name}: ${link} leads to no heading`]
    })
  })
  return { pages: pages.length, broken }
}

function readIds(text) {
  return new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decodeEntities(id)))
}

function readLinks(text) {
  const all = [...text.matchAll(/<(?:a|img|link|script|source)\s[^>]*?(?:href|src)="([^"]*)"/g)]
  return [...new Set(all.map(([, link]) => decodeEntities(link)))]
}

function decodeEntities(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#38;', '&')
    .replaceAll('&#x26;', '&')
    .replaceAll('&amp;', '&')
}
