// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// A token that everyone can mint. Beside the signatures of EOAs (ERC-2612, ERC-3009) it takes those
/// of contracts (ERC-1271), by the functions that USDC 2.2 has for them.
contract Token is ERC20Permit, ERC3009 {
    bytes32 private constant TYPE =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    constructor() ERC20("Test Dollar", "TUSD") ERC20Permit("Test Dollar") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) external {
        require(block.timestamp <= deadline, ERC2612ExpiredSignature(deadline));
        bytes32 hash = _hashTypedDataV4(
            keccak256(abi.encode(TYPE, owner, spender, value, _useNonce(owner), deadline))
        );
        require(
            SignatureChecker.isValidSignatureNow(owner, hash, signature),
            ERC2612InvalidSigner(address(0), owner)
        );
        _approve(owner, spender, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        bytes memory signature = abi.encodePacked(r, s, v);
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        bytes32 hash = _hashTypedDataV4(
            keccak256(
                abi.encode(
                    TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
                    from,
                    to,
                    value,
                    validAfter,
                    validBefore,
                    nonce
                )
            )
        );
        require(
            SignatureChecker.isValidSignatureNow(from, hash, signature),
            ERC3009InvalidSignature()
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }
}

/// What x402's facilitator calls of Multicall3.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            results[i] = Result(success, returnData);
        }
    }
}

/// ERC-6492's validator as a contract of its own. It runs the code that clients run in `eth_call`, whose
/// constructor answers one byte: whether the signature is valid.
contract UniversalValidator {
    bytes private creationCode;

    constructor(bytes memory code) {
        creationCode = code;
    }

    function isValidSig(address signer, bytes32 hash, bytes calldata signature) external returns (bool) {
        bytes memory code = bytes.concat(creationCode, abi.encode(signer, hash, signature));
        address answer;
        assembly {
            answer := create(0, add(code, 32), mload(code))
        }
        return answer != address(0) && answer.code[0] == 0x01;
    }
}
