import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { GALLERY } from './gallery.ts'

/** Renders each example as a server does, by its name. */
export function renderGallery(): Record<string, string> {
  const examples = GALLERY.flatMap((part) => part.examples)
  return Object.fromEntries(
    examples.map(({ name, Example }) => [
      name,
      renderToString(h(Example), { identifierPrefix: name }),
    ]),
  )
}
