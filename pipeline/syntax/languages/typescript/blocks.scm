; TypeScript only: no blocks beyond those in common with JavaScript
