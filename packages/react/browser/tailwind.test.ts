import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BROWSER,
  findBarriers,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../viewer/browser/browser.support.ts'
import { renderGallery } from '../examples/gallery/render-gallery.ts'
import { createTailwindStyle } from './tailwind.support.ts'

const STYLE = readFileSync(new URL('../src/style.css', import.meta.url), 'utf8')

/** The colours of shadcn/ui for the components, from the README. */
const [, MAPPING = ''] =
  /```css\n([\s\S]*?)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []

/** What makes a table, a list, a code block or a button look like one. */
const PROPERTIES = [
  'display',
  'list-style-type',
  'padding',
  'margin',
  'border-width',
  'border-radius',
  'font-size',
  'font-weight',
  'color',
  'background-color',
  'line-height',
  'text-align',
  'text-decoration-line',
  'white-space',
  'cursor',
  'opacity',
] as const

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  let browser: Browser
  let tailwind: string
  let markup: string
  let darkAndLight: string

  beforeAll(async () => {
    browser = await startBrowser()
    tailwind = await createTailwindStyle()
    // The theme of a host would cover the colours of shadcn.
    const { 'theme-of-the-host': _, 'dark-and-light': both = '', ...examples } = renderGallery()
    darkAndLight = both
    markup = Object.entries(examples)
      .map(([name, html]) => `<div data-example="${name}">${html}</div>`)
      .join('')
      // No script enables the buttons in these pages.
      .replaceAll(' disabled=""', '')
  })
  afterAll(async () => await browser?.close())

  async function openPage(styles: readonly string[], theme = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 900, height: 800 } })
    const common = 'body { margin: 0; font-family: sans-serif }'
    const sheets = [common, ...styles].map((style) => `<style>${style}</style>`).join('')
    await page.setContent(
      `<!doctype html><html lang="en" class="${theme}"><head><title>A page</title>${sheets}</head><body class="font-sans"><main><h1>A page</h1>${markup}</main></body></html>`,
    )
    return page
  }

  async function measure(page: Page): Promise<readonly Readonly<Record<string, string>>[]> {
    return await page.evaluate(
      (properties) =>
        // The picture in a button is an element of a host.
        [...document.querySelectorAll('.tb, .tb :not(option, button img)')].map((element) => {
          const style = getComputedStyle(element)
          // Text has the font of the page, code has its own.
          const isCode = element.matches('pre, code, .tb-tree, .tb-diff')
          return {
            element: element.outerHTML.slice(0, 80),
            'font-family': isCode ? style.fontFamily : '',
            ...Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)])),
          }
        }),
      PROPERTIES,
    )
  }

  test('beside Tailwind, no element of a component looks different', async () => {
    const [alone, beside] = await Promise.all([openPage([STYLE]), openPage([tailwind, STYLE])])
    const before = await measure(alone)
    const after = await measure(beside)
    expect(before.length).toBeGreaterThan(800)
    const differences = after.flatMap((styles, index) =>
      [...PROPERTIES, 'font-family']
        .filter((name) => styles[name] !== before[index]?.[name])
        .map(
          (name) => `${name}: ${before[index]?.[name]} → ${styles[name]} of ${styles['element']}`,
        ),
    )
    expect(differences).toEqual([])
  })

  test('beside Tailwind, lists have markers, tables lines, headings sizes, and code and buttons their look', async () => {
    const page = await openPage([tailwind, STYLE])
    const read = async (selector: string, ...names: string[]): Promise<readonly string[]> =>
      await page
        .locator(selector)
        .first()
        .evaluate((element, list) => {
          const style = getComputedStyle(element)
          return list.map((name) => style.getPropertyValue(name))
        }, names)
    const markdown = '[data-example=markdown]'
    expect(await read(`${markdown} ol`, 'list-style-type', 'padding-left')).toEqual([
      'decimal',
      '22.4px',
    ])
    expect(await read(`${markdown} .tb-level-2`, 'font-size', 'font-weight')).toEqual([
      '17.92px',
      '600',
    ])
    expect(await read(`${markdown} strong`, 'font-weight')).toEqual(['700'])
    expect(await read(`${markdown} a`, 'text-decoration-line')).toEqual(['underline'])
    expect(await read(`${markdown} hr`, 'border-top-width')).toEqual(['1px'])
    expect(await read('.tb-table td', 'padding', 'border-bottom-width')).toEqual([
      '4.8px 11.2px',
      '1px',
    ])
    const [font = ''] = await read('[data-example=code] pre', 'font-family')
    expect(font).toContain('monospace')
    expect(await read('.tb-form button', 'padding', 'border-width')).toEqual([
      '4.8px 10.4px',
      '1px',
    ])
    await page.locator('.tb-form button').first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await read('.tb-form button', 'outline-style', 'outline-width')).toEqual([
      'solid',
      '2px',
    ])
  })

  test.for(['light', 'dark'])(
    'with the variables of the README, the colours are those of shadcn and readable, %s',
    async (theme) => {
      expect(MAPPING).toContain('var(--card)')
      const page = await openPage([tailwind, STYLE, MAPPING], theme)
      const wrong = await page.evaluate(() => {
        const probe = document.createElement('i')
        document.querySelector('main')?.append(probe)
        const resolve = (name: string): string => {
          probe.style.color = `var(${name})`
          return getComputedStyle(probe).color
        }
        const expected: [selector: string, property: 'color' | 'backgroundColor', name: string][] =
          [
            ['.tb-call', 'backgroundColor', '--card'],
            ['.tb-call', 'color', '--card-foreground'],
            ['.tb-main', 'backgroundColor', '--primary'],
            ['.tb-main', 'color', '--primary-foreground'],
            ['.tb-result a', 'color', '--primary'],
            ['.tb-failure', 'color', '--destructive'],
          ]
        const mismatches = expected.filter(([selector, property, name]) => {
          const element = document.querySelector(selector)
          return !element || getComputedStyle(element)[property] !== resolve(name)
        })
        probe.remove()
        return mismatches
      })
      expect(wrong).toEqual([])
      expect(await findBarriers(page)).toEqual([])
    },
  )

  test.for(['light', 'dark'])(
    'in a %s page, the nearest class of a theme counts',
    async (theme) => {
      const page = await openPage([STYLE], theme)
      const backs = await page.evaluate((html) => {
        document.body.innerHTML = html
        return [...document.querySelectorAll('.tb-call')].map(
          (call) => getComputedStyle(call).backgroundColor,
        )
      }, darkAndLight)
      expect(backs).toEqual(['rgb(255, 255, 255)', 'rgb(21, 24, 28)'])
    },
  )
})
