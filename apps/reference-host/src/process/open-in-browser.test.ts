import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openInBrowser } from './open-in-browser.ts'

// Other systems open pages with a program at a fixed place.
test.skipIf(process.platform !== 'linux')(
  'a page is opened by the program of the desktop, with all variables, through a file that is removed later',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolblocks-browser-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [opener, opened] = [join(folder, 'xdg-open'), join(folder, 'opened')]
    writeFileSync(
      opener,
      `#!/bin/sh\n{ echo "$MARK $1"; cat "\${1#file://}"; } > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
    )
    chmodSync(opener, 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    vi.stubEnv('MARK', 'of the person')
    onTestFinished(() => void vi.unstubAllEnvs())
    const remove = await openInBrowser('http://127.0.0.1:4711/page#t=token', 'Open <it>')
    await expect.poll(() => existsSync(opened), { timeout: 15_000 }).toBe(true)
    const [line = '', ...page] = readFileSync(opened, 'utf8').split('\n')
    const [, file = ''] = /^of the person file:\/\/(\/\S+)$/.exec(line) ?? []
    expect(page.join('')).toContain('url=http://127.0.0.1:4711/page#t=token')
    expect(page.join('')).toContain('>Open &lt;it&gt;</a>')
    expect(existsSync(file)).toBe(true)
    await remove()
    expect(existsSync(file)).toBe(false)
  },
)
