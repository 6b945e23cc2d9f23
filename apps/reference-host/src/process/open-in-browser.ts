import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { encodeHtml, markup } from '@toolblocks/renderer/internal/html'
import { startOwnProgram } from './own-program.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens an address in the browser of the user, with a file that only this user can read: other users can see the arguments of a program, and the
 * address contains a secret. `title` is the text of its link. Returns a function that removes the file.
 */
export async function openInBrowser(url: string, title: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-view-'))
  const file = join(folder, 'open.html')
  const page = markup`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${encodeHtml(url)}"><title>Toolblocks</title><a href="${encodeHtml(url)}">${encodeHtml(title)}</a>`
  await writeFile(file, page, { mode: 0o600 })
  const [program, ...programArgs] = OPENERS[process.platform] ?? ['xdg-open']
  // The browser belongs to the person: it gets all of their environment variables, and continues after this process ends.
  const opened = await startOwnProgram({
    program,
    args: [...programArgs, pathToFileURL(file).href],
    cwd: process.cwd(),
    env: process.env,
    inherits: 'nothing',
    streams: 'none',
  })
  // If no browser is available, the person can use the printed address.
  if (opened.ok) opened.program.release()
  return async () => await rm(folder, { recursive: true, force: true })
}
