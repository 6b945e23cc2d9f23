import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compile } from 'tailwindcss'

const FOLDER = dirname(createRequire(import.meta.url).resolve('tailwindcss/package.json'))

/** The neutral theme of shadcn/ui for Tailwind CSS 4, as its documentation shows it. */
const SHADCN = `
:root {
  --radius: 0.625rem;
  --background: oklch(1 0 0);
  --foreground: oklch(0.145 0 0);
  --card: oklch(1 0 0);
  --card-foreground: oklch(0.145 0 0);
  --primary: oklch(0.205 0 0);
  --primary-foreground: oklch(0.985 0 0);
  --muted: oklch(0.97 0 0);
  --muted-foreground: oklch(0.556 0 0);
  --destructive: oklch(0.577 0.245 27.325);
  --border: oklch(0.922 0 0);
  --ring: oklch(0.708 0 0);
}
.dark {
  --background: oklch(0.145 0 0);
  --foreground: oklch(0.985 0 0);
  --card: oklch(0.205 0 0);
  --card-foreground: oklch(0.985 0 0);
  --primary: oklch(0.922 0 0);
  --primary-foreground: oklch(0.205 0 0);
  --muted: oklch(0.269 0 0);
  --muted-foreground: oklch(0.708 0 0);
  --destructive: oklch(0.704 0.191 22.216);
  --border: oklch(1 0 0 / 10%);
  --ring: oklch(0.556 0 0);
}
@theme inline {
  --color-background: var(--background);
  --color-foreground: var(--foreground);
  --color-border: var(--border);
  --color-ring: var(--ring);
}
@layer base {
  * {
    @apply border-border outline-ring/50;
  }
  body {
    @apply bg-background text-foreground;
  }
}
`

/** The stylesheet of a page with Tailwind CSS 4 and shadcn/ui. */
export async function createTailwindStyle(): Promise<string> {
  const { build } = await compile(`@import 'tailwindcss';\n${SHADCN}`, {
    base: FOLDER,
    loadStylesheet: async (id) => {
      const path = join(FOLDER, id === 'tailwindcss' ? 'index.css' : id)
      return { path, base: FOLDER, content: readFileSync(path, 'utf8') }
    },
  })
  return build(['font-sans'])
}
