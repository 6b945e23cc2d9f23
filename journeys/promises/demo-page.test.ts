import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, inject, onTestFinished, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { NO_BROWSER, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { makeFolder } from '../stage/folder.ts'

/** What a script of the demo asks, in this order: a call, two changes of a file, a choice, a form, and the form of a server. */
const QUESTIONS = 6

// Six questions in a browser, and twenty calls, take long on a busy machine.
const SLOW = { timeout: 180_000 }

test(
  'promise first hour: the demo on a page shows each result beside what the model receives, and its questions are answered there',
  SLOW,
  async ({ skip }) => {
    skip(SKIPS_BROWSER, NO_BROWSER)
    const temporary = makeFolder({})
    const child = spawn(process.execPath, [inject('command'), 'demo', '--page', '--no-open'], {
      cwd: makeFolder({}),
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const [address] = await once(createInterface(child.stdout), 'line')
    const browser = await startBrowser()
    onTestFinished(async () => await browser.close())
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(String(address))
    await page.locator('tb-timeline').waitFor()
    const conversation = page.url()
    for (let count = 0; count < QUESTIONS; count += 1) {
      // The page follows the conversation.
      await page.locator('.tb-waits .tb-main').click()
      const form = page.locator('.tb-form').first()
      for (const input of await form.locator('input[type=text]').all())
        if ((await input.inputValue()) === '') await input.fill('Ada')
      const options = form.locator('input[type=radio]')
      if ((await options.count()) > 0) await options.first().check()
      await form.locator('.tb-main').click()
      await page.getByText(/^(?:Allowed|Answered) on a page/).waitFor()
      await page.goto(conversation)
    }
    await page.getByText('It is a lighthouse; one of two tests fails').waitFor()
    const call = page.locator('.tb-call', { hasText: 'README.md' }).nth(1)
    const person = await call.locator('.tb-result').first().boundingBox()
    const model = await call.locator('.tb-model').boundingBox()
    expect(model?.x).toBeGreaterThan((person?.x ?? 0) + (person?.width ?? 0))
    expect(await call.locator('.tb-model').innerText()).toContain('Resource README.md')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(readdirSync(temporary).filter((name) => name.startsWith('toolblocks-demo'))).toEqual([])
  },
)

test('promise first hour: the demo on a page refuses options that only a terminal has', async () => {
  for (const option of ['--model-view', '--editor', '--output=json']) {
    const { code, stderr } = await toolblocks(makeFolder({}), 'demo', '--page', option)
    expect(code).toBe(2)
    expect(stderr).toContain("'--page' cannot be used with option")
  }
})
