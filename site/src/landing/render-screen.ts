/** A part of a line of the recorded terminal, with the style of all its cells. */
interface Span {
  style: string
  text: string
}

/** Renders the lines of the recorded terminal as HTML. Their text is already encoded (scripts/pictures/screen.mjs). */
export function renderScreen(lines: readonly (readonly Span[])[]): string {
  const rows = lines.map((spans, row) => {
    const text = spans.map((span) => `<span style="${span.style}">${span.text}</span>`).join('')
    return `<span class="row" style="--row:${row}">${text}\n</span>`
  })
  return `<figure class="screen"><pre role="img" aria-label="A recorded terminal. The command shows an image that a tool returned, then a change of a file as a diff, and asks whether to apply it."><code>${rows.join('')}</code></pre><figcaption>Recorded: two calls of the command</figcaption></figure>`
}
