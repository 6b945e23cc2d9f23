// Checks of the gallery of @toolblocks/react. Each returns what it found.
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../packages/react/examples/gallery/', import.meta.url)

/** Files of the folder that list, render and hydrate the examples. */
const LISTS = ['gallery.ts', 'hydrate-gallery.ts', 'render-gallery.ts']

const PATH = 'gallery/'

/** Returns the checks by their names. `withPage` opens a page and adds the messages of its console. */
export function checkGallery(withPage) {
  return {
    'the README of the components leads to the gallery': async () =>
      await withPage('packages/react/', {}, findMissingLink),
    'the gallery shows the exact code of every example': async () =>
      await withPage(PATH, {}, findWrongCode),
    'the gallery shows every example without scripts': async () =>
      await withPage(PATH, { javaScriptEnabled: false }, findEmptyExamples),
    'a form of the gallery is answered with the keyboard alone': async () =>
      await withPage(PATH, {}, answerWithKeyboard),
    'a call of the gallery is allowed with the keyboard alone': async () =>
      await withPage(PATH, {}, allowWithKeyboard),
    'dark and light examples differ in both themes of the page': async () => [
      ...(await withPage(PATH, { colorScheme: 'dark' }, findWrongThemes)),
      ...(await withPage(PATH, { colorScheme: 'light' }, findWrongThemes)),
    ],
  }
}

async function findMissingLink(page) {
  await page.locator('.sl-markdown-content').getByRole('link', { name: 'gallery' }).click()
  await page.waitForURL(/\/gallery\/$/, { timeout: 10_000 })
  return []
}

async function findWrongCode(page) {
  const shown = await page
    .locator('.example .expressive-code')
    .evaluateAll((blocks) =>
      Object.fromEntries(
        blocks.map((block) => [
          block.querySelector('.title')?.textContent,
          [...block.querySelectorAll('.ec-line .code')]
            .map((line) => line.textContent.replace(/\n$/, ''))
            .join('\n'),
        ]),
      ),
    )
  const files = readdirSync(FOLDER).filter((name) => !LISTS.includes(name))
  return [
    ...(files.length > 30 ? [] : [`The folder has only ${files.length} examples.`]),
    ...files
      .filter((name) => shown[name] !== readFileSync(new URL(name, FOLDER), 'utf8').trimEnd())
      .map((name) => `The code of ${name} is not on the page as it is in the file.`),
  ]
}

async function findEmptyExamples(page) {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.tsx') && name !== 'sent.tsx')
  const found = []
  for (const name of names.map((file) => file.replace(/\.tsx$/, ''))) {
    const example = page.locator(`[data-example="${name}"]`)
    if ((await example.locator('.tb').count()) === 0) found.push(`${name} is not on the page.`)
  }
  return found
}

/** Moves the focus to the first element after a heading that takes it, when the buttons of the example work. */
async function enterExample(page, name) {
  await page.locator(`[data-example="${name}"] button:enabled`).first().waitFor()
  await page.locator(`#${name} a`).focus()
  await page.keyboard.press('Tab')
  return page.locator(`[data-example="${name}"]`)
}

async function readSent(example) {
  const sent = example.locator('.sent')
  await sent.filter({ hasText: '{' }).waitFor({ timeout: 10_000 })
  return JSON.stringify(JSON.parse(await sent.textContent()))
}

async function answerWithKeyboard(page) {
  const example = await enterExample(page, 'form-with-every-field')
  const type = async (text) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await type('Ada')
  await type('9.4')
  // The default is selected when the field is entered with Tab.
  await type('3')
  // Yes or no: arrows choose.
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await type('14')
  await page.keyboard.type('Grace')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const sent = await readSent(example)
  const expected = JSON.stringify({
    action: 'accept',
    value: {
      boat: 'Ada',
      length: 9.4,
      nights: 3,
      power: true,
      side: 'port',
      services: ['water', 'fuel'],
      arrival: '14:00',
      crew: ['Grace'],
    },
  })
  return sent === expected ? [] : [`The form sent ${sent}; ${expected} was expected.`]
}

async function allowWithKeyboard(page) {
  const example = await enterExample(page, 'call-that-needs-approval')
  await page.keyboard.press('Enter')
  const sent = await readSent(example)
  const state = await example.locator('.tb-call').getAttribute('data-state')
  return [
    ...(sent === '{"id":"approval-4","approved":true}' ? [] : [`The call sent ${sent}.`]),
    ...(state === 'approval-responded' ? [] : [`The call is in the state ${state}.`]),
  ]
}

async function findWrongThemes(page) {
  const backs = await page
    .locator('[data-example=dark-and-light] .tb-call')
    .evaluateAll((calls) => calls.map((call) => getComputedStyle(call).backgroundColor))
  const expected = ['rgb(255, 255, 255)', 'rgb(21, 24, 28)']
  return backs.join() === expected.join() ? [] : [`The backgrounds are ${backs.join('; ')}.`]
}
