// One file per client, which it loads as it is: into the package, or with its tests into .tests/. An argument names
// another folder for the built files, to compare them with those in the package.
import { existsSync, readdirSync } from "node:fs"
import { build } from "esbuild"

const forTests = process.argv[2] === "--tests"
const target = forTests ? ".tests" : (process.argv[2] ?? "../src/hardwon/integrations")
const plain = { bundle: true, platform: "node", format: "esm", target: "es2022", logLevel: "warning" }
const clients = readdirSync(".").filter((name) => existsSync(`${name}/src/index.ts`))

for (const client of clients) {
  if (forTests) {
    const tests = readdirSync(`${client}/test`).filter((name) => name.endsWith(".test.ts"))
    const entryPoints = tests.map((name) => `${client}/test/${name}`)
    await build({ ...plain, entryPoints, outdir: `${target}/${client}`, outExtension: { ".js": ".mjs" } })
  } else {
    const banner = { js: `// Built from integrations/${client}/src: change it there.` }
    await build({ ...plain, banner, entryPoints: [`${client}/src/index.ts`], outfile: `${target}/${client}/hardwon.js` })
  }
}
