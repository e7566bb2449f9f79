// Turns modules and their dependencies into places in layers: what uses stands above what is used. An edge that passes
// rows gets a point in each, so that it runs between the boxes. The same input always gives the same drawing: ties are
// broken by the order of the input.

const BOX = { width: 204, height: 48 };
/** The width that a row keeps free for an edge that passes it. */
const LANE = 14;
const GAP = { x: 18, y: 58 };
/** Wider layers are divided into rows, so that the drawing stays readable. */
const MAX_IN_ROW = 7;
const SWEEPS = 16;
const PADDING = 24;

/**
 * Returns `{width, height, boxes, curves}` for `count` nodes and edges `{from, to, uses}`. Boxes are in the order of the
 * nodes; each curve has its edge, its path and whether it goes up, against the layers.
 */
export function layout(count, edges) {
  const rowOf = rowsOf(count, assign(count, acyclic(count, edges)));
  const nodes = Array.from({ length: count }, (_, n) => ({ row: rowOf[n], width: BOX.width, up: [], down: [] }));
  const chains = edges.filter((edge) => rowOf[edge.from] !== rowOf[edge.to]).map((edge) => chain(edge, nodes));
  const rows = Array.from({ length: Math.max(0, ...rowOf) + 1 }, () => []);
  nodes.forEach((node, n) => rows[node.row].push(n));
  order(rows, nodes);
  place(rows, nodes);
  const left = Math.min(0, ...nodes.map((node) => node.x - node.width / 2)) - PADDING;
  const width = Math.max(0, ...nodes.map((node) => node.x + node.width / 2)) - left + PADDING;
  const top = (node) => PADDING + node.row * (BOX.height + GAP.y);
  for (const node of nodes) Object.assign(node, { x: node.x - left, y: top(node) });
  const boxes = nodes.slice(0, count).map((node) => ({ x: Math.round(node.x - BOX.width / 2), y: node.y, ...BOX }));
  const height = PADDING * 2 + rows.length * BOX.height + Math.max(0, rows.length - 1) * GAP.y;
  return { width: Math.round(width), height, boxes, curves: chains.map((one) => curve(one, nodes)) };
}

/** The edges without those that would close a cycle; the strongest are kept first. */
function acyclic(count, edges) {
  const out = Array.from({ length: count }, () => []);
  const reaches = (from, to) => {
    const seen = new Set([from]);
    for (const node of seen) {
      if (node === to) return true;
      for (const next of out[node]) seen.add(next);
    }
    return false;
  };
  const sorted = edges.map((edge, n) => ({ edge, n })).sort((a, b) => b.edge.uses - a.edge.uses || a.n - b.n);
  return sorted
    .filter(({ edge }) => {
      if (edge.from === edge.to || reaches(edge.to, edge.from)) return false;
      out[edge.from].push(edge.to);
      return true;
    })
    .map(({ edge }) => edge);
}

/** The layer of each node: one below the lowest of those that use it. Nodes without edges come last. */
function assign(count, edges) {
  const layer = new Array(count).fill(0);
  for (let n = 0; n < count; n += 1) {
    let isStable = true;
    for (const { from, to } of edges) {
      if (layer[to] > layer[from]) continue;
      layer[to] = layer[from] + 1;
      isStable = false;
    }
    if (isStable) break;
  }
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const last = Math.max(0, ...layer) + (joined.size > 0 && joined.size < count ? 1 : 0);
  return layer.map((one, node) => (joined.has(node) ? one : last));
}

/** The row of each node: layers that are too wide take several. */
function rowsOf(count, layers) {
  const members = Array.from({ length: Math.max(0, ...layers) + 1 }, () => []);
  layers.forEach((layer, node) => members[layer].push(node));
  const rows = new Array(count);
  let row = 0;
  for (const layer of members) {
    const parts = Math.max(1, Math.ceil(layer.length / MAX_IN_ROW));
    const size = Math.ceil(layer.length / parts);
    layer.forEach((node, at) => {
      rows[node] = row + Math.floor(at / size);
    });
    row += parts;
  }
  return rows;
}

/** Adds a point in each row that an edge passes; returns the edge with the nodes along it, from the top. */
function chain(edge, nodes) {
  const isUp = nodes[edge.from].row > nodes[edge.to].row;
  const [first, last] = isUp ? [edge.to, edge.from] : [edge.from, edge.to];
  const along = [first];
  for (let row = nodes[first].row + 1; row < nodes[last].row; row += 1) {
    nodes.push({ row, width: LANE, up: [], down: [] });
    along.push(nodes.length - 1);
  }
  along.push(last);
  for (let n = 1; n < along.length; n += 1) {
    nodes[along[n - 1]].down.push(along[n]);
    nodes[along[n]].up.push(along[n - 1]);
  }
  return { edge, isUp, along };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Orders each row so that neighbours are near: by the mean place of what a node is joined to in the row before. */
function order(rows, nodes) {
  const settle = (row) =>
    row.forEach((n, at) => {
      nodes[n].at = (at + 0.5) / row.length;
    });
  rows.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const side = sweep % 2 === 0 ? 'up' : 'down';
    for (const row of side === 'up' ? rows : [...rows].reverse()) {
      const wanted = new Map(
        row.map((n) => [n, nodes[n][side].length ? mean(nodes[n][side].map((other) => nodes[other].at)) : nodes[n].at]),
      );
      row.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
      settle(row);
    }
  }
}

/** Places the nodes of each row near to what they are joined to, without overlap and in their order. */
function place(rows, nodes) {
  for (const row of rows)
    spread(
      row,
      nodes,
      row.map(() => 0),
    );
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
      spread(
        row,
        nodes,
        row.map((n) => {
          const joined = [...nodes[n].up, ...nodes[n].down];
          return joined.length ? mean(joined.map((other) => nodes[other].x)) : nodes[n].x;
        }),
      );
    }
  }
}

/** The places with the least squared distance to those wanted that keep the gaps: pooling of adjacent violators. */
function spread(row, nodes, wanted) {
  const offsets = [];
  row.forEach((n, at) => {
    const before = at === 0 ? 0 : offsets[at - 1] + nodes[row[at - 1]].width / 2 + nodes[n].width / 2 + GAP.x;
    offsets.push(before);
  });
  const blocks = [];
  wanted.forEach((x, at) => {
    let block = { sum: x - offsets[at], size: 1 };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).size >= block.sum / block.size) {
      const last = blocks.pop();
      block = { sum: block.sum + last.sum, size: block.size + last.size };
    }
    blocks.push(block);
  });
  let at = 0;
  for (const { sum, size } of blocks) {
    for (let n = 0; n < size; n += 1, at += 1) nodes[row[at]].x = sum / size + offsets[at];
  }
}

/** A curve through the points of an edge. It leaves and reaches the boxes where its neighbours' places say. */
function curve({ edge, isUp, along }, nodes) {
  const port = (n, other, side) => {
    const all = [...nodes[n][side]].sort((a, b) => nodes[a].x - nodes[b].x || a - b);
    return nodes[n].x + ((all.indexOf(other) + 1) / (all.length + 1) - 0.5) * BOX.width * 0.8;
  };
  const start = [port(along[0], along[1], 'down'), nodes[along[0]].y + BOX.height];
  let path = `M${start[0].toFixed(1)} ${start[1]}`;
  let [x, y] = start;
  for (let n = 1; n < along.length; n += 1) {
    const isLast = n === along.length - 1;
    const to = isLast ? port(along[n], along[n - 1], 'up') : nodes[along[n]].x;
    const bend = GAP.y / 2;
    const top = nodes[along[n]].y;
    path += `C${x.toFixed(1)} ${y + bend} ${to.toFixed(1)} ${top - bend} ${to.toFixed(1)} ${top}`;
    if (!isLast) path += `V${top + BOX.height}`;
    [x, y] = [to, top + BOX.height];
  }
  return { edge, isUp, path };
}
