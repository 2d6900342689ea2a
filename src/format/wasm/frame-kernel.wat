;; Checks frames where they lie in memory, faster than one checksum call a frame can.
;;
;; Memory, in bytes (wasm-kernel.ts relies on it):
;;       0  16 tables of 256 u32; table k holds the remainder of each byte followed by k zero bytes
;;   16384  16 zero bytes and 16 bytes of ones: from byte r on, a mask that keeps the last r bytes of 16
;;   16416  16 u32: what becomes the checksum's initial ones after 16 - r zero bytes
;;   16480  a block of 16 bytes that is made of the odd ones
;;   32768  up to 2048 sidecar entries of 16 bytes
;;   65536  the window
(module
  (import "host" "memory" (memory 2))
  ;; Checksum of `length` bytes at `address` by the host, which is faster on long payloads.
  (import "host" "checksum" (func $hostChecksum (param i32 i32) (result i32)))

  ;; What `run` leaves behind for the host, each for the last call alone.
  (global $at (export "at") (mut i32) (i32.const 0)) ;; where the last good frame ends
  (global $records (export "records") (mut i32) (i32.const 0))
  (global $lastFrame (export "lastFrame") (mut i32) (i32.const 0)) ;; where the last good frame starts
  (global $outOfSequence (export "outOfSequence") (mut i32) (i32.const 0))
  (global $firstOutOfSequence (export "firstOutOfSequence") (mut i32) (i32.const 0)) ;; 0: none
  (global $entriesEnd (export "entriesEnd") (mut i32) (i32.const 0))

  ;; Fills the tables, the mask and the initial values.
  (func (export "prepare")
    (local $n i32) (local $k i32) (local $remainder i32)
    (loop $bytes
      (local.set $remainder (local.get $n))
      (local.set $k (i32.const 8))
      (loop $bits
        (local.set $remainder
          (i32.xor (i32.shr_u (local.get $remainder) (i32.const 1))
            (i32.and (i32.const 0xedb88320)
              (i32.sub (i32.const 0) (i32.and (local.get $remainder) (i32.const 1))))))
        (br_if $bits (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
      (i32.store (i32.shl (local.get $n) (i32.const 2)) (local.get $remainder))
      (br_if $bytes (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 256))))
    ;; Table k from table k-1: one more zero byte. $n runs over the addresses of tables 0 to 14.
    (local.set $n (i32.const 0))
    (loop $entries
      (local.set $remainder (i32.load (local.get $n)))
      (i32.store offset=1024 (local.get $n)
        (i32.xor (i32.shr_u (local.get $remainder) (i32.const 8))
          (i32.load (i32.shl (i32.and (local.get $remainder) (i32.const 255)) (i32.const 2)))))
      (br_if $entries
        (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 4))) (i32.const 15360))))
    (i64.store (i32.const 16400) (i64.const -1))
    (i64.store (i32.const 16408) (i64.const -1))
    ;; Initial values, for $n = 15 to 0: each is the one before less a zero byte, which put a table entry
    ;; with the same top byte over the rest. $k looks for that entry.
    (local.set $n (i32.const 16))
    (local.set $remainder (i32.const -1))
    (loop $values
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (local.set $k (i32.const 256))
      (loop $search
        (local.set $k (i32.sub (local.get $k) (i32.const 1)))
        (br_if $search
          (i32.ne
            (i32.load8_u offset=3 (i32.shl (local.get $k) (i32.const 2)))
            (i32.shr_u (local.get $remainder) (i32.const 24)))))
      (local.set $remainder
        (i32.or
          (i32.shl
            (i32.xor
              (local.get $remainder)
              (i32.load (i32.shl (local.get $k) (i32.const 2))))
            (i32.const 8))
          (local.get $k)))
      (i32.store offset=16416 (i32.shl (local.get $n) (i32.const 2)) (local.get $remainder))
      (br_if $values (local.get $n))))

  ;; CRC-32 of `length` bytes, sixteen at a time. The odd bytes come first, in a block of their own whose
  ;; other bytes are masked to zero and taken back from the initial value, so that no byte is taken singly.
  ;; It may look at the 16 bytes in front of `address`. Half of the bytes are loaded singly, half are shifted
  ;; out of words: that keeps both the loading and the computing units of a processor busy.
  (func $checksum (export "checksum") (param $address i32) (param $length i32) (result i32)
    (local $block i32) (local $next i32) (local $end i32) (local $rest i32) (local $crc i32)
    (local $front i32) (local $word i32)
    (local.set $end (i32.add (local.get $address) (local.get $length)))
    (local.set $rest (i32.and (local.get $length) (i32.const 15)))
    (local.set $next (i32.add (local.get $address) (local.get $rest)))
    (local.set $crc (i32.load offset=16416 (i32.shl (local.get $rest) (i32.const 2))))
    (local.set $block (i32.const 16480))
    (i64.store (local.get $block)
      (i64.and (i64.load offset=16384 (local.get $rest))
        (i64.load (i32.sub (local.get $next) (i32.const 16)))))
    (i64.store offset=8 (local.get $block)
      (i64.and (i64.load offset=16392 (local.get $rest))
        (i64.load (i32.sub (local.get $next) (i32.const 8)))))
    (loop $blocks
      (local.set $front (i32.xor (local.get $crc) (i32.load (local.get $block))))
      (local.set $word (i32.load offset=4 (local.get $block)))
      (i32.load offset=7168 (i32.shl (i32.load8_u offset=8 (local.get $block)) (i32.const 2)))
      (i32.load offset=6144 (i32.shl (i32.load8_u offset=9 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=5120 (i32.shl (i32.load8_u offset=10 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=4096 (i32.shl (i32.load8_u offset=11 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=3072 (i32.shl (i32.load8_u offset=12 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=2048 (i32.shl (i32.load8_u offset=13 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=1024 (i32.shl (i32.load8_u offset=14 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=0 (i32.shl (i32.load8_u offset=15 (local.get $block)) (i32.const 2))) i32.xor
      (i32.load offset=11264 (i32.and (i32.shl (local.get $word) (i32.const 2)) (i32.const 0x3fc))) i32.xor
      (i32.load offset=10240 (i32.and (i32.shr_u (local.get $word) (i32.const 6)) (i32.const 0x3fc))) i32.xor
      (i32.load offset=9216 (i32.and (i32.shr_u (local.get $word) (i32.const 14)) (i32.const 0x3fc))) i32.xor
      (i32.load offset=8192 (i32.and (i32.shr_u (local.get $word) (i32.const 22)) (i32.const 0x3fc))) i32.xor
      ;; These four depend on the block before: they come last, when the rest is ready.
      (i32.load offset=15360 (i32.and (i32.shl (local.get $front) (i32.const 2)) (i32.const 0x3fc)))
      (i32.load offset=14336 (i32.and (i32.shr_u (local.get $front) (i32.const 6)) (i32.const 0x3fc))) i32.xor
      (i32.load offset=13312 (i32.and (i32.shr_u (local.get $front) (i32.const 14)) (i32.const 0x3fc)))
      (i32.load offset=12288 (i32.and (i32.shr_u (local.get $front) (i32.const 22)) (i32.const 0x3fc))) i32.xor i32.xor i32.xor
      local.set $crc
      (local.set $block (local.get $next))
      (local.set $next (i32.add (local.get $next) (i32.const 16)))
      (br_if $blocks (i32.lt_u (local.get $block) (local.get $end))))
    (i32.xor (local.get $crc) (i32.const -1)))

  (func $u32 (param $address i32) (result i32)
    (local $raw i32)
    (local.set $raw (i32.load (local.get $address)))
    (i32.or
      (i32.and (i32.rotl (local.get $raw) (i32.const 8)) (i32.const 0x00ff00ff))
      (i32.and (i32.rotr (local.get $raw) (i32.const 8)) (i32.const 0xff00ff00))))

  (func $u64 (param $address i32) (result i64)
    (local $raw i64)
    (local.set $raw (i64.load (local.get $address)))
    (local.set $raw
      (i64.or
        (i64.shl (i64.and (local.get $raw) (i64.const 0x00ff00ff00ff00ff)) (i64.const 8))
        (i64.and (i64.shr_u (local.get $raw) (i64.const 8)) (i64.const 0x00ff00ff00ff00ff))))
    (local.set $raw
      (i64.or
        (i64.shl (i64.and (local.get $raw) (i64.const 0x0000ffff0000ffff)) (i64.const 16))
        (i64.and (i64.shr_u (local.get $raw) (i64.const 16)) (i64.const 0x0000ffff0000ffff))))
    (i64.rotl (local.get $raw) (i64.const 32)))

  ;; Where the field at `at` ends (a u32 length and its bytes), or 0 if that is past `end`.
  (func $fieldEnd (param $at i32) (param $end i32) (result i32)
    (local $length i32)
    (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 4))
      (then (return (i32.const 0))))
    (local.set $length (call $u32 (local.get $at)))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (if (i32.gt_u (local.get $length) (i32.sub (local.get $end) (local.get $at)))
      (then (return (i32.const 0))))
    (i32.add (local.get $at) (local.get $length)))

  ;; Whether the inner lengths of the payload from `at` to `end`, of 29 bytes or more, lie inside it.
  (func $parses (param $at i32) (param $end i32) (result i32)
    (local $fields i64)
    (local.set $at (i32.add (local.get $at) (i32.const 17)))
    (if (i32.eqz (local.tee $at (call $fieldEnd (local.get $at) (local.get $end))))
      (then (return (i32.const 0))))
    (if (i32.eqz (local.tee $at (call $fieldEnd (local.get $at) (local.get $end))))
      (then (return (i32.const 0))))
    (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 4))
      (then (return (i32.const 0))))
    (local.set $fields
      (i64.shl (i64.extend_i32_u (call $u32 (local.get $at))) (i64.const 1)))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (block $done
      (loop $headers
        (br_if $done (i64.eqz (local.get $fields)))
        (if (i32.eqz (local.tee $at (call $fieldEnd (local.get $at) (local.get $end))))
          (then (return (i32.const 0))))
        (local.set $fields (i64.sub (local.get $fields) (i64.const 1)))
        (br $headers)))
    (i32.const 1))

  ;; Takes good frames from `at` on, as far as they are whole before `end`, and answers why it stopped:
  ;; 0 no whole frame, 1 limit, 2 bad checksum, 3 does not parse, 4 no room for another sidecar entry.
  (func (export "run")
    (param $at i32) (param $end i32)
    (param $position i64)                           ;; position in the file of address 0
    (param $expected i64)                           ;; offset that the next frame should carry
    (param $limit i32) (param $parse i32)
    (param $indexAt i32) (param $indexInterval i32) ;; address from which a frame is indexed
    (param $hostFrom i32)                           ;; payload length from which the host checks
    (result i32)
    (local $payload i32) (local $length i32) (local $stop i32) (local $records i32)
    (local $offset i64) (local $entry i32)
    (global.set $lastFrame (i32.const 0))
    (global.set $outOfSequence (i32.const 0))
    (global.set $firstOutOfSequence (i32.const 0))
    (local.set $entry (i32.const 32768))
    (block $stopped
      (loop $frame
        (local.set $stop (i32.const 1))
        (br_if $stopped (i32.ge_u (local.get $records) (local.get $limit)))
        (local.set $stop (i32.const 0))
        (local.set $payload (i32.add (local.get $at) (i32.const 10)))
        (br_if $stopped (i32.gt_u (local.get $payload) (local.get $end)))
        (br_if $stopped (i32.ne (i32.load16_u (local.get $at)) (i32.const 0x514d)))
        (local.set $length (call $u32 (i32.add (local.get $at) (i32.const 2))))
        (br_if $stopped (i32.lt_u (local.get $length) (i32.const 29)))
        (br_if $stopped
          (i32.gt_u (local.get $length) (i32.sub (local.get $end) (local.get $payload))))
        (local.set $stop (i32.const 2))
        (br_if $stopped
          (i32.ne
            (call $u32 (i32.add (local.get $at) (i32.const 6)))
            (if (result i32) (i32.ge_u (local.get $length) (local.get $hostFrom))
              (then (call $hostChecksum (local.get $payload) (local.get $length)))
              (else (call $checksum (local.get $payload) (local.get $length))))))
        (local.set $stop (i32.const 3))
        (if (local.get $parse)
          (then
            (br_if $stopped
              (i32.eqz
                (call $parses
                  (local.get $payload)
                  (i32.add (local.get $payload) (local.get $length)))))))
        (if (i32.ge_s (local.get $at) (local.get $indexAt))
          (then
            (local.set $stop (i32.const 4))
            (br_if $stopped (i32.eq (local.get $entry) (i32.const 65536)))
            (i64.store (local.get $entry) (i64.load (local.get $payload)))
            (i64.store offset=8 (local.get $entry)
              (i64.add (local.get $position) (i64.extend_i32_u (local.get $at))))
            (i64.store offset=8 (local.get $entry)
              (call $u64 (i32.add (local.get $entry) (i32.const 8))))
            (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
            (local.set $indexAt (i32.add (local.get $at) (local.get $indexInterval)))))
        (local.set $offset (call $u64 (local.get $payload)))
        (if (i64.ne (local.get $offset) (local.get $expected))
          (then
            (if (i32.eqz (global.get $outOfSequence))
              (then (global.set $firstOutOfSequence (local.get $at))))
            (global.set $outOfSequence (i32.add (global.get $outOfSequence) (i32.const 1)))))
        (local.set $expected (i64.add (local.get $expected) (i64.const 1)))
        (local.set $records (i32.add (local.get $records) (i32.const 1)))
        (global.set $lastFrame (local.get $at))
        (local.set $at (i32.add (local.get $payload) (local.get $length)))
        (br $frame)))
    (global.set $at (local.get $at))
    (global.set $records (local.get $records))
    (global.set $entriesEnd (local.get $entry))
    (local.get $stop))

  ;; First address from `at` on with a magic and a length of 29 or more, at most `room` (bytes from
  ;; address `at` to the end of the file) less the header; also no key longer than the payload, if its
  ;; length is in sight. Otherwise the first address whose header is not whole before `end`.
  (func (export "findCandidate")
    (param $at i32) (param $end i32) (param $room f64) (result i32)
    (local $length i32) (local $fileEnd i64) (local $word i64)
    (local.set $fileEnd (i64.add (i64.extend_i32_u (local.get $at)) (i64.trunc_f64_u (local.get $room))))
    (block $found
      (loop $next
        (br_if $found
          (i32.gt_s (i32.add (local.get $at) (i32.const 10)) (local.get $end)))
        ;; Eight bytes without a 4D are passed at once.
        (if
          (i32.and
            (i32.eqz (i32.and (local.get $at) (i32.const 7)))
            (i32.le_s (i32.add (local.get $at) (i32.const 18)) (local.get $end)))
          (then
            (local.set $word
              (i64.xor (i64.load (local.get $at)) (i64.const 0x4d4d4d4d4d4d4d4d)))
            (if
              (i64.eqz
                (i64.and
                  (i64.and
                    (i64.sub (local.get $word) (i64.const 0x0101010101010101))
                    (i64.xor (local.get $word) (i64.const -1)))
                  (i64.const 0x8080808080808080)))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 8)))
                (br $next)))))
        (if (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x514d))
          (then
            (block $refused
              (local.set $length (call $u32 (i32.add (local.get $at) (i32.const 2))))
              (br_if $refused (i32.lt_u (local.get $length) (i32.const 29)))
              (br_if $refused
                (i64.gt_u
                  (i64.add
                    (i64.extend_i32_u (i32.add (local.get $at) (i32.const 10)))
                    (i64.extend_i32_u (local.get $length)))
                  (local.get $fileEnd)))
              (br_if $found
                (i32.gt_s (i32.add (local.get $at) (i32.const 31)) (local.get $end)))
              (br_if $refused
                (i32.gt_u
                  (call $u32 (i32.add (local.get $at) (i32.const 27)))
                  (i32.sub (local.get $length) (i32.const 29))))
              (br $found))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $at))
)
