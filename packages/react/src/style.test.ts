import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')

test('every selector is inside :where, so that any rule of the page wins', () => {
  const selectors = STYLE.replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('}')
    .flatMap((rule) => rule.split('{').slice(0, -1))
    .map((selector) => selector.trim().replaceAll(/\s+/g, ' '))
    .filter((selector) => selector !== '' && !selector.startsWith('@media'))
  expect(selectors.length).toBeGreaterThan(80)
  for (const selector of selectors) expect(selector).toMatch(/^:where\(.*\)$/)
})

test('every selector but that of the variables names a class of the components', () => {
  const names = [...STYLE.matchAll(/:where\(([^{]*)\) \{/g)].map(([, list = '']) => list)
  for (const list of names.filter((each) => each !== ':root, :host'))
    for (const selector of list.split(/,(?![^(]*\))/)) expect(selector).toMatch(/\.tb\b/)
})

test('no component sets markup', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  for (const file of sources.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')))
    expect(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'), file).not.toMatch(/innerHTML/i)
})
