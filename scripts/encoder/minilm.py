"""all-MiniLM-L6-v2 as an int8 ONNX file, without torch.

    minilm.py build WEIGHTS TOKENIZER OUT    write model.onnx, tokenizer.json, model.json into OUT

The BERT graph is written node by node with the `onnx` package (opset 17) and holds mean pooling and
the L2 norm, then it is dynamically quantised. Before it is put in place it is checked against a plain
numpy forward pass of the same weights.
"""

import json
import math
import os
import shutil
import sys
import tempfile

import numpy as np

LAYERS, HEADS, HIDDEN, MAX_TOKENS = 6, 12, 384, 256
EPS = 1e-12
CHECK_TEXTS = [
    "hello world",
    "Parses an HTTP response and returns its status code.",
    "fn read_line(&mut self, buf: &mut String) -> io::Result<usize> { self.inner.read_line(buf) }",
    "def connect(host, port, timeout=None): retry the connection with an exponential back-off",
]
MANIFEST = {
    "format": 1,
    "kind": "onnx",
    "name": "all-MiniLM-L6-v2-int8",
    "dimensions": HIDDEN,
    "max_tokens": MAX_TOKENS,
    "pooling": "none",
    "normalize": True,
    "query_prefix": "",
    "passage_prefix": "",
    "inputs": ["input_ids", "attention_mask"],
    "output": "embedding",
    "license": "Apache-2.0",
}


def build_graph(weights):
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, inits = [], []

    def const(name, value):
        inits.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(op, inputs, out, **attributes):
        nodes.append(helper.make_node(op, inputs, [out], name=out + "/" + op, **attributes))
        return out

    def f32(name, value):
        return const(name, np.asarray(value, dtype=np.float32))

    def i64(name, value):
        return const(name, np.asarray(value, dtype=np.int64))

    def linear(x, prefix, out):
        kernel = const(prefix + ".weight_t", weights[prefix + ".weight"].T.astype(np.float32))
        product = node("MatMul", [x, kernel], out + "_matmul")
        return node("Add", [product, f32(prefix + ".bias", weights[prefix + ".bias"])], out)

    def norm(x, prefix, out):
        scale = f32(prefix + ".weight", weights[prefix + ".weight"])
        bias = f32(prefix + ".bias", weights[prefix + ".bias"])
        return node("LayerNormalization", [x, scale, bias], out, axis=-1, epsilon=EPS)

    zero, one = i64("zero", [0]), i64("one", [1])
    # Positions and the one token type in use are one table.
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    length = node("Shape", ["input_ids"], "length", start=1, end=2)
    here = node("Slice", [f32("positions", positions), zero, length, zero], "positions_here")
    words = node(
        "Gather", [f32("words", weights["embeddings.word_embeddings.weight"]), "input_ids"], "word"
    )
    x = norm(node("Add", [words, here], "embedded"), "embeddings.LayerNorm", "embedded_norm")

    mask = node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    wide = node("Unsqueeze", [mask, i64("axes12", [1, 2])], "mask_wide")
    away = node("Sub", [f32("one_f", 1.0), wide], "mask_away")
    bias = node("Mul", [away, f32("minus_large", -10000.0)], "mask_bias")
    split = i64("split_heads", [0, 0, HEADS, HIDDEN // HEADS])
    merge = i64("merge_heads", [0, 0, HIDDEN])
    root = f32("root", math.sqrt(HIDDEN // HEADS))
    half, sqrt2 = f32("half", 0.5), f32("sqrt2", math.sqrt(2.0))

    for layer in range(LAYERS):
        p, o = f"encoder.layer.{layer}.", f"l{layer}_"
        parts = {}
        for part, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            y = linear(x, f"{p}attention.self.{part}", o + part)
            y = node("Reshape", [y, split], o + part + "_split")
            parts[part] = node("Transpose", [y], o + part + "_heads", perm=perm)
        scores = node("MatMul", [parts["query"], parts["key"]], o + "scores")
        scores = node("Div", [scores, root], o + "scaled")
        scores = node("Add", [scores, bias], o + "masked")
        attention = node("Softmax", [scores], o + "attention", axis=-1)
        context = node("MatMul", [attention, parts["value"]], o + "context")
        context = node("Transpose", [context], o + "context_t", perm=[0, 2, 1, 3])
        context = node("Reshape", [context, merge], o + "context_merged")
        y = linear(context, p + "attention.output.dense", o + "attended")
        x = norm(node("Add", [y, x], o + "residual1"), p + "attention.output.LayerNorm", o + "norm1")
        y = linear(x, p + "intermediate.dense", o + "wide")
        erf = node("Erf", [node("Div", [y, sqrt2], o + "erf_in")], o + "erf")
        gate = node("Add", [erf, "one_f"], o + "gate")
        y = node("Mul", [node("Mul", [y, gate], o + "gated"), half], o + "gelu")
        y = linear(y, p + "output.dense", o + "narrow")
        x = norm(node("Add", [y, x], o + "residual2"), p + "output.LayerNorm", o + "norm2")

    column = node("Unsqueeze", [mask, i64("axis2", [2])], "mask_column")
    total = node("ReduceSum", [node("Mul", [x, column], "kept"), one], "sum", keepdims=0)
    count = node("ReduceSum", [mask, one], "count", keepdims=1)
    count = node("Max", [count, f32("tiny_count", 1e-9)], "count_safe")
    mean = node("Div", [total, count], "mean")
    size = node("ReduceL2", [mean], "size", axes=[1], keepdims=1)
    size = node("Max", [size, f32("tiny_size", 1e-12)], "size_safe")
    node("Div", [mean, size], "embedding")

    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    attend = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
    out = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", HIDDEN])
    graph = helper.make_graph(nodes, "all-MiniLM-L6-v2", [ids, attend], [out], inits)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="sextant"
    )
    model.ir_version = 8
    onnx.checker.check_model(model, full_check=True)
    return model


def reference(weights, ids):
    """The same forward pass in numpy, for one text."""

    def linear(x, prefix):
        return x @ weights[prefix + ".weight"].T + weights[prefix + ".bias"]

    def norm(x, prefix):
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) / np.sqrt(var + EPS) * weights[prefix + ".weight"] + weights[prefix + ".bias"]

    erf = np.vectorize(math.erf)
    n = len(ids)
    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:n]
        + weights["embeddings.token_type_embeddings.weight"][0]
    ).astype(np.float64)
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        q, k, v = (
            linear(x, f"{p}attention.self.{part}").reshape(n, HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(HIDDEN // HEADS)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        context = (scores / scores.sum(-1, keepdims=True)) @ v
        context = context.transpose(1, 0, 2).reshape(n, HIDDEN)
        x = norm(linear(context, p + "attention.output.dense") + x, p + "attention.output.LayerNorm")
        y = linear(x, p + "intermediate.dense")
        y = linear(y * (1 + erf(y / math.sqrt(2))) / 2, p + "output.dense")
        x = norm(y + x, p + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def session(path, threads=1):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def embed_ids(run, ids):
    ids = np.asarray([ids], dtype=np.int64)
    return run.run(["embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]


class Encoder:
    """The exported model; one text at a time, so that no text depends on its batch."""

    def __init__(self, folder, threads=1):
        from tokenizers import Tokenizer

        with open(os.path.join(folder, "model.json"), encoding="utf-8") as f:
            self.manifest = json.load(f)
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.enable_truncation(self.manifest["max_tokens"])
        self.run = session(os.path.join(folder, "model.onnx"), threads)

    def embed(self, text):
        return embed_ids(self.run, self.tokenizer.encode(text).ids)


def build(weights_path, tokenizer_path, out):
    import logging

    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    logging.disable(logging.WARNING)
    weights = load_file(weights_path)
    with open(tokenizer_path, encoding="utf-8") as f:
        tokenizer = json.load(f)
    tokenizer["padding"] = None
    tokenizer["truncation"] = None

    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as tmp:
        exact, small = os.path.join(tmp, "exact.onnx"), os.path.join(tmp, "model.onnx")
        onnx.save(build_graph(weights), exact)
        quantize_dynamic(
            exact, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
        )
        with open(os.path.join(tmp, "tokenizer.json"), "w", encoding="utf-8") as f:
            json.dump(tokenizer, f, ensure_ascii=False, separators=(",", ":"))
            f.write("\n")
        with open(os.path.join(tmp, "model.json"), "w", encoding="utf-8") as f:
            json.dump(MANIFEST, f, indent=1)
            f.write("\n")

        encode = Tokenizer.from_file(os.path.join(tmp, "tokenizer.json")).encode
        run_exact, run_small = session(exact), session(small)
        for text in CHECK_TEXTS:
            ids = encode(text).ids
            want = reference(weights, ids)
            error = float(np.abs(embed_ids(run_exact, ids) - want).max())
            cosine = float(embed_ids(run_small, ids) @ want)
            print(f"check: fp32 error {error:.1e}, int8 cosine {cosine:.4f}, {len(ids)} tokens")
            if error > 1e-4 or cosine < 0.97:
                sys.exit("minilm: the written graph does not agree with the reference")
        for name in ("model.onnx", "tokenizer.json", "model.json"):
            shutil.move(os.path.join(tmp, name), os.path.join(out, name))
    size = os.path.getsize(os.path.join(out, "model.onnx"))
    print(f"wrote model.onnx ({size / 1e6:.1f} MB), tokenizer.json, model.json")


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] != "build":
        sys.exit(__doc__)
    build(*sys.argv[2:])
