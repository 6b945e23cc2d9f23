import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { onTestFinished } from 'vitest'
import { readPicture } from '../../scripts/pictures/browser.mjs'
import type { Page } from './browser.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples')

/** The pages that were built. */
const built = new Map<string, Promise<unknown>>()

/** Builds the page of an example application once, starts its server, and returns its address. It ends with the test. */
export async function startExample(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const cwd = join(EXAMPLES, name)
  const page = built.get(name) ?? build({ root: cwd, logLevel: 'silent' })
  built.set(name, page)
  await page
  const child = spawn(process.execPath, ['server.ts'], {
    cwd,
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

/** Keeps a picture of a page for the documents, if `PICTURES` names a folder: `PICTURES=docs/pictures pnpm exec vitest run journeys/example-apps`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'] ?? ''
  if (folder !== '') writeFileSync(join(folder, `${name}.webp`), await readPicture(page))
}
