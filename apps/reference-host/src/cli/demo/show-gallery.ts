import type { TerminalText } from '@toolblocks/protocol'
import {
  type RenderOptions,
  createTerminalStyle,
  joinTerminal,
  renderTerminal,
} from '@toolblocks/renderer'
import { resolve } from 'node:path'
import { GALLERY } from '../../demo/gallery.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { loadAbilities } from '../../terminal/show-to-person.ts'
import { saveText, typedTarget } from '../../workspace/files/write-file.ts'

/** The options of `toolblocks gallery`. */
export interface GalleryOptions {
  /** `html`: a page for a browser, which needs `to`. */
  output: 'text' | 'html'
  /** The file to write. */
  to?: string
  /** Whether to replace an existing file. */
  force?: boolean
}

/** `toolblocks gallery`: shows every kind of result as this terminal, or a browser, renders it. */
export async function showGallery(
  { terminal, folder }: CommandContext,
  { output, to, force }: GalleryOptions,
): Promise<number> {
  const { colors, columns } = terminal
  if (output === 'html') {
    if (to === undefined) {
      terminal.report('error', '--output html needs --to FILE')
      return EXIT.usage
    }
    const { loadContentReaders } = await import('@toolblocks/renderer/readers')
    const readers = await loadContentReaders()
    const { renderGallery } = await import('@toolblocks/renderer/internal/html')
    const page = renderGallery(GALLERY, { root: '/lighthouse', readers })
    const path = resolve(folder, to)
    const saved = await saveText(typedTarget(path, folder), [page], force ? 'replace' : 'keep')
    if (saved.ok) terminal.print(terminal.sanitize(`Wrote ${path}.`))
    else terminal.report('error', saved.message)
    return saved.ok ? EXIT.ok : EXIT.usage
  }
  const results = GALLERY.map(({ result }) => result)
  const abilities = await loadAbilities(results, terminal)
  terminal.print(writeGallery({ colors, columns, ...abilities }))
  return EXIT.ok
}

/** Renders the gallery for a terminal: each example below its title. */
export function writeGallery(options: RenderOptions): TerminalText {
  const style = createTerminalStyle(options.colors ?? 'none')
  const pieces = GALLERY.map(({ title, result }) => {
    const rendered = renderTerminal(result, { root: '/lighthouse', ...options })
    return joinTerminal([style.yellow(`── ${title}`), rendered], '\n')
  })
  return joinTerminal(pieces, '\n\n')
}
