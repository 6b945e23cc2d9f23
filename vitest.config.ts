import { defineConfig } from 'vitest/config'

// Workspace packages export src/*.ts, so tests need no build.
export default defineConfig({
  test: {
    include: ['{packages,apps}/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    coverage: { provider: 'v8', include: ['packages/*/src/**/*.ts'] },
  },
})
